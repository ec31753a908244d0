"""Keyed logistics (KL): one carrier on a directed graph whose edges ask for keys. This text is the rule book.

Vocabulary
  node        a place; objects lie at nodes, are held by the carrier, or are consumed
  object      anything that can be carried, keys included
  edge        directed, from one node to another, with a cost of at least 0 (1 where none is stated); it may ask for a
              key (an object), which is consumed by the traversal or, where the edge says "keep", stays held
  action      {"op": "pickup", "arg": object}, {"op": "drop", "arg": object} or {"op": "move", "arg": edge name}; each
              counts one step; a move also counts one traversal; pickup and drop cost what the instance says (0 where
              nothing is)
  submission  {"actions": [action, ...]}, any length, also empty
Held objects move with the carrier. An edge is undirected only as two edges; it may lead to the node it starts from.

Rules of a pickup, preconditions, judged side by side
  R1  there      the object lies at the carrier's node (not elsewhere, not held, not consumed)
  R2  space      fewer objects are held than the capacity
Rule of a drop, precondition
  R3  held       the object is held
Rules of a move, preconditions, judged side by side
  R4  from       the carrier is at the node where the edge starts
  R5  key        the key that the edge asks for is held (an edge without a key asks for nothing)
Rules of every action, judged on the state after it, and only when its preconditions hold
  R6  actions    the number of steps so far is at most the action budget
  R7  traversals the number of traversals so far is at most the traversal budget
  R8  cost       the cost so far is at most the cost budget
All three are judged after every action, also after those that cannot raise the number in question.

Rule of the end
  G   goal       the carrier is where the goal says (if it says), every object that the goal names is at its stated
                 node, held or consumed, and no more objects are held than the goal's `most_held` (if stated)

Malformed, not illegal: an unknown operation, object or edge; an argument outside its operation's domain (pickup of an
edge, move of an object). In a state: a location that is no node, "held" or "consumed", an object left out or unknown.
States in P may be any (also with more held than the capacity), with any steps, traversals and cost from 0 to 2^53. A
node may not be called "held" or "consumed"; objects and edges may not share a name.

Symmetries that a class forgets: the order of adjacent actions that commute (both orders legal, same state after).

Motif `main`. A keyed move is a move along an edge that asks for a key and leads to another node (one that leads back to
where it starts may commute with a pickup, so that its place among the other actions means nothing). It holds when
  (a) there are at least two keyed moves, and some goal cargo (an object that the goal wants at a node) is held without
      a break from before the first keyed move to after the last one;
  (b) for some keyed move m that is not the first: let k be the key it asks for, and m' the keyed move before it. m'
      consumed its key; k is picked up for the first time in the whole submission after m' and before m, at a node that
      is neither the carrier's initial node nor its last one.
"""
