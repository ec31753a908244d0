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

Motif `main`. The instance may declare a resource: a field with its free value and its held value. An acquisition is an
action before which the field has the free value and after which the held value; a release is the reverse. It holds when
there are actions a < u < r < p < q (positions in the submission) such that
  (a) a is an acquisition, r a release, and no action between a and r changes the resource field;
  (b) u is neither acquisition nor release, and one of its preconditions requires the resource to be held: a literal on
      the field, true for the held value and false for the free value;
  (c) r establishes what p needs: p is neither acquisition nor release, one of its preconditions requires the resource
      to be free (true for the free value, false for the held value), no action between r and p changes the resource
      field, and p is the first such action after r;
  (d) q is neither acquisition nor release, changes some field, and one of its preconditions requires the resource to be
      free; no action between p and q changes the resource field;
  (e) progress is causal: some precondition literal of p was false before u and is true because of u: u assigns that
      field and no action between u and p assigns it.
It is false where no resource is declared.
"""
