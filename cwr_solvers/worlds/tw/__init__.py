"""Token workshop (TW): a weighted Petri net with read arcs. This text is the rule book; all other parts follow it.

Vocabulary
  place      holds a count of indistinguishable tokens, never negative
  recipe     one action: it consumes tokens of places, reads tokens of places (catalysts: they must be there and stay)
             and produces tokens in places; each with a weight of at least 1 a place
  bounds     a minimum (0 where none is stated) and possibly a maximum for single places and for the total of all
             tokens; `throughout` binds every state, the initial one included, `goal` binds the last one. In no
             state does a place hold more than 2^53 tokens: that is its `throughout` maximum where none is stated
  action     applying one recipe; it counts one step and costs one
  submission {"actions": [recipe name, ...]}, any length, also empty

The effect of a recipe is atomic: every consumed token is taken, then every produced token is added. A recipe may
consume, read and produce the same place.

Rules of a step, preconditions
  R1  tokens    every place holds at least consumed + read tokens of the recipe

Rules of a step, judged on the state after it, and only when R1 holds
  R2  maximum   no place is above its `throughout` maximum
  R3  minimum   no place is below its `throughout` minimum
  R4  total     the total of all tokens is within the `throughout` bounds of the total
  R5  actions   the number of steps so far is at most the action budget
  R6  cost      the cost so far is at most the cost budget
All broken ones are named together. (An instance may set the two budgets apart; both count actions.)

Rule of the end, judged on the terminal state only
  G   goal      every place and the total are within the goal's bounds

Malformed, not illegal: unknown recipe names; in a state, counts that leave out a place or name an unknown one.
An instance whose initial state breaks `throughout` is malformed. States in P may be any counts from 0 to 2^53, whether
or not they satisfy `throughout`, with any steps and cost from 0 to 2^53, whether or not they agree.

Symmetries that a class forgets: the order of adjacent actions that commute.

Motif `main` (a predicate on how tokens flowed). Tokens of one place are alike, and which of two independent actions
came first is nobody's choice: a submission has the motif when every assignment in every order shows it.
  order       the same actions, each as often, in any order in which no step breaks a rule. All orders end in one state,
              so with the submission each of them is accepted
  assignment  for every token consumed in that order, which token it was: an initial one or one produced by an action
              that is earlier in that order (a token is consumed at most once; read arcs move nothing). Each token is
              distinguishable, also those that one action produces in one place
The depth of a token is 0 when it is initial, else one more than the greatest depth of the tokens that its producing
action consumed (1 when that consumed none). The history of a token is the set of actions it descends from: its producer
and the histories of the tokens that its producer consumed. `main` shows in one assignment of one order when
  (a) some action consumes two different tokens x and y, both produced (not initial), with disjoint histories and
      unequal depth, and
  (b) for some place, fewer tokens ever exist there (initially plus produced there by the actions of the submission)
      than there are actions whose recipe reads that place.
Submissions with the same actions have the motif together or lack it together, and so do the words of a class. Every
accepted submission has it exactly when (a) and (b) show in every assignment of every accepted submission as written.
"""
