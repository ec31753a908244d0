"""The audit of the cyclic-order scene: of every puzzle that a seed gives, what each route says, and what is drawn.

Vocabulary
  puzzle     what an index of a seed gives, as in `cwr generate`; its visible instance has the four cards that are seen,
             its open sibling a card for every pair of positions (see certifying.py)
  route      interpreter, CP-SAT, Z3, and the certificates, each in workers of its own; it lists every accepted
             submission of both instances
  arrangement  the broken loop with every token called by its place in the reference. Open siblings of one arrangement
             are the same but for the names of tokens, which no submission has: CP-SAT and Z3, which are slow, are asked
             about the first one only. Everything else is asked of every puzzle
  lane       one worker of every kind; puzzles go to the lanes in turn, in chunks
  drawn      made as `cwr generate` makes it: the boxes of its record are on the canvas and do not overlap
  seen       drawn, and read back from the pixels by seeing.py
  combination a token style, a loop path, a scene variant and a token count, each of which is drawn and seen as well
  fault      one thing that is not as it should be. Its word decides the exit code:
             disagree    routes differ, or the picture was drawn of what the interpreter does not accept
             rejected    not just the planted option repairs; boxes overlap or leave the canvas; something else is seen
                         than was meant; a second process makes other bytes; an axis is not balanced; a guess
                         that sees no token earns more than chance; nothing was examined
             undecided   a limit, a crash or a kill came before an answer; too few puzzles to judge an axis or a guess

Files
  by_*.py         what answers in workers          asking.py   the tasks, and what came of them
  comparing.py    the answers of the routes        balance.py  whether axes are even
  baselines.py    what guesses earn that do not read the cyclic order
  again.py        the same bytes in other processes
  keeping.py      finished chunks, from which an interrupted audit goes on
  outcome.py      all that the audit came to, as JSON
  audit.py        the audit
"""
