"""Cyclic order (CO): a loop of tokens is repaired by swaps. This text is the rule book.

Vocabulary
  token       a name; the tokens of a loop differ pairwise
  loop        n tokens on n positions, 3 to 24; positions are numbered from 1 in reading direction, and position 1
              follows on position n
  reference   the loop that is wanted, from any place of it on
  broken      the loop that is there: the same tokens on the numbered positions
  card        {"label": name, "swap": [i, j]} with i < j: what may be done once, namely exchanging the tokens on the
              positions i and j; labels differ, and no two cards swap the same positions
  playing     one step, cost one: the tokens on the card's two positions change places, all others stay
  submission  {"cards": [label, ...]}, in the order in which they are played, any number, also none

Two loops are equal when one is a rotation of the other: read in reading direction from suitable places on, they give
the same tokens. Reflection is not forgiven: a loop read backwards is another loop (for three tokens and more).

Rule of a step, a precondition
  R1  once       the card has not been played before

Rule of a step, judged on the state after it, and only when R1 holds
  R2  budget     the number of cards played so far is at most the card budget

Rule of the end
  G   goal       the loop equals the reference up to rotation

Malformed, not illegal: unknown labels. A state is {"loop": [token, ...], "played": [label, ...], "steps": n,
"cost": n}: any arrangement of the tokens (it need not come from the broken loop by the played cards), and the cards
that have been played, as a set: they are read in any order and written in the order of the instance. Malformed in a
state: unknown tokens and labels; a token or a label given twice; another number of tokens than the loop has; `steps` or
`cost` other than the number of played cards.

A submission is its own normal form and its own class: the order of cards matters, also where two orders lead to the
same loop, and cards have one name each. No symmetry is forgotten.

A task of the public kind (task_puzzles__cyclic_order__swap_repair_label) is an instance with four cards and a budget of
one; its *open* sibling has a card for every pair of positions, so that its accepted submissions are all repairs by one
swap.

Motif `main` (local repair): some played card swaps neighbours on the loop, that is positions i and i+1, or 1 and n.
"""
