"""Safety protocol (PS): operations on a product of finite fields, with invariants. This text is the rule book.

Vocabulary
  field       a name with a finite list of values, strings or integers, and an initial value
  literal     {"field": f, "is": v} or {"field": f, "not": v}
  operation   a name, preconditions (`when`, a list of literals, all of which must hold) and effects (`then`, new values
              for some fields, all assigned at once); it counts one step and costs one
  invariant   a clause: a list of literals of which at least one must hold in every state, the initial one included
  action      one operation
  submission  {"actions": [operation name, ...]}, any length, also empty

Rules of a step, precondition
  R1  when        every precondition literal holds

Rules of a step, judged on the state after it, and only when R1 holds
  R2  invariant   every invariant holds
  R3  actions     the number of steps so far is at most the action budget
  R4  cost        the cost so far is at most the cost budget

Rule of the end
  G   goal        every literal of the goal holds

Malformed, not illegal: unknown operations; in a state, a field left out, unknown, or with a value that it does not have
(1 and "1" are different values). An instance whose initial state breaks an invariant is malformed; fields may not be
called "steps" or "cost". States in P may break invariants, with any steps and cost from 0 to 2^53.

Symmetries that a class forgets: the order of adjacent actions that commute (both orders legal, same state after).

Motif `main`. The instance may declare a resource: a field with its free value and its held value. A precondition asks
for a value when it is a literal on the resource field that is true for this value and for no other value of the field.
An interval is a longest run of successive states in which the resource field has one value; an action happens in an
interval when the state before it and the state after it belong to it (so it may assign the field, but not change it).
It holds when there are three successive intervals, free, held, free (the first may be that of the initial state), and
three actions u, p, q (positions in the submission, p and q different, in either order) such that
  (a) u happens in the held interval, and one of its preconditions asks for the held value;
  (b) p and q happen in the free interval right after it (the release makes true what they need), and each has a
      precondition that asks for the free value;
  (c) q assigns some field other than the resource field;
  (d) progress is causal: some precondition literal of p, not on the resource field, is false in the initial state, u
      assigns its field a value for which it is true, and no other action of the whole submission does so.
It is false where no resource is declared. It speaks of intervals and of a sole cause, and not of "the last action that"
or "the first action that", because exchanging adjacent actions that commute may change which action these are; so it
is the same for all submissions of a class.
"""
