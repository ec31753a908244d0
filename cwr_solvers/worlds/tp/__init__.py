"""Finite typed pipeline (TP): linear values, operations given as tables. This text is the rule book.

Vocabulary
  type        a finite alphabet of values; a value is a list of integers (a unary value is a list of one)
  operation   input types, output types and a table: for tuples of input values the tuple of output values; the table
              may be partial
  value id    a name for a value: the initial ids of the instance, and the listed fresh `ids`, all different
  live        an id is live from its creation until it is consumed; allocated from its creation forever
  step        {"op": name, "args": [id, ...], "out": [id, ...]}: consumes all its arguments, creates its outputs,
              both in the order of the operation's types; it counts one step and costs one
  submission  {"steps": [step, ...]}, any length, also empty

Rules of a step, preconditions, all judged side by side
  R1  arity     as many args as input types
  R2  live      every arg is live (not consumed, not unallocated)
  R3  distinct  no id is given twice as an arg
  R4  types     each live arg has the type of its position; judged only when R1 holds, and only for args that are live
                (the type of a consumed or unallocated id is not judged)
  R5  outputs   as many out ids as output types
  R6  fresh     every out id was never allocated before, initial ids included, and no id is given twice as an out
  R7  table     the table has a row for the argument values; judged only when R1 to R4 hold

Rules of a step, judged on the state after it, and only when R1 to R7 hold
  R8  live      the number of live values is at most the live limit
  R9  steps     the number of steps so far is at most the step budget
  R10 cost      the cost so far is at most the cost budget

Rule of the end
  G   goal      the goal is a multiset of typed values. With leftovers "forbidden" the live values are exactly the goal;
                with leftovers "allowed" they contain it.

Malformed, not illegal: unknown operations; ids that are neither initial nor listed; in a state, a live id that is not
allocated, an unknown type or a value outside its type's alphabet. A step may name any known id anywhere, in lists of
any length. The initial state may hold more values than the live limit only if the instance is malformed: it is
refused. States in P may be any set of live values whose ids are allocated; initial ids need not be allocated there.

Symmetries that a class forgets: the names of created values (not those of initial ones), and the order of adjacent
steps that commute. A word names created values in order of creation by the listed ids in their order. Each word
stands for n·(n−1)·…·(n−k+1) raw submissions, n listed ids, k created values.
States are counted modulo value names: the multiset of live typed values, the number of allocated ids, steps and cost.

Motif `main`. Nodes are the steps, a value runs from its creating step to its consuming one. It holds when
  (a) a step s creates at least two values, x and y among them;
  (b) starting from x a path follows values, each step on it consuming the value before and creating the next (at least
      one step), and at least one of its steps changes the carried value: the value list of the path's value after the
      step differs from the one before it;
  (c) a later step j consumes the last value of the path and consumes y itself, so that y stayed live and unused
      from s to j; j is not itself a step of the path;
  (d) exactly one further step depends on j: some step consumes a value that j created, and no step consumes a value
      that that one created ("one step finishes after it").
"""
