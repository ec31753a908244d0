"""Boolean circuit (BC): straight-line programs of two-input gates. This text is the rule book.

Vocabulary
  pin         a primary input; n pins have 2^n rows, row r (from 0) giving the first pin the most significant bit of r
  vector      the values of a signal on all rows, row 0 first
  operator    a two-input Boolean function, its table listed for (first, second) input = 00, 01, 10, 11, and a cost of
              at least 0 a gate (1 where none is stated)
  gate        {"id": id, "op": operator, "inputs": [signal, signal]}; gate ids are g0, g1, … g(budget-1)
  signal      a pin or a gate
  submission  {"gates": [gate, ...], "output": signal}; where the instance asks for several named outputs, {"gates":
              [...], "outputs": {output name: signal, ...}} with every output name once; any number of gates, also none.
              The chosen outputs are no step; they belong to the submission and the goal reads them there.

Rules of a step (appending one gate), preconditions, judged side by side
  R1  order      the gate's id is the next one: g0 first, then g1, …
  R2  inputs     both inputs are pins or gates appended before this one (no forward reference, no self reference); the
                 same signal twice is fine, and a signal may feed any number of gates
  R3  gates      fewer gates than the gate budget were appended before this one. No id is left beyond the budget, so
                 that what breaks R3 breaks R1 as well; judged only after R1, it could never be named

Rule of a step, judged on the state after it, and only when R1 to R3 hold
  R4  cost       the cost so far is at most the cost budget

Rule of the end
  G   goal       the vector of every chosen output is the vector that the instance asks for

Malformed, not illegal: an unknown operator, a gate id or input outside the pins and g0…g(budget-1), other than two
inputs, an output that is neither a pin nor the id of a gate in this submission's list. In a state: `signals` that are
not all the pins plus g0 … g(k-1) for some k, vectors with entries other than 0 and 1 or of unequal length, a length
other than 2^n or 1 (a state of one row is a truth-row probe), `steps` other than k. The vectors of a state may be any.
A state with k equal to the gate budget leaves no id for a further gate: a probe there names one of g0…g(budget-1) and
breaks R1 and R3. The instance is malformed when a pin is named like a gate id, or a wanted vector has a length other
than 2^n.

Symmetries that a class forgets: the order of the two inputs of a gate whose operator does not distinguish them, and the
numbering of the gates. A word has the inputs of every gate with a symmetric operator sorted (pins in stated order, then
gates by number); it keeps its numbering. It stands for 2^k raw submissions, k the number of gates with a symmetric
operator and two different inputs. The numbering is forgotten by exchanging two adjacent gates of which the second does
not read the first, and renumbering (ids, inputs and outputs; inputs sorted again): so a class is an isomorphism class
of the gate graph, with operators, pins and outputs kept. States are counted by signal lists: the vectors of g0, g1, …
in order, with steps and cost.

Motifs. Let X, Y, E be gates, o the gate that is the output (each false when the goal names outputs, with "outputs",
be it only one; and when the output is a pin). "Reads s and t" means: its two inputs are s and t, in either order.
  shape   there are different gates X, Y, E, o such that X and Y read the same two different pins p and q; E reads Y and
          a pin z other than p and q; o reads X and E
  typed   shape, and the operators of X, Y, E, o are those that the instance's `motif` names, in this order; false where
          it names none
  mid     o reads X and E, whose cones have no gate in common (the cone of a gate: itself and all gates it depends on);
          E reads a gate Y and a pin z; X and Y depend on a common pin; neither X nor Y depends on z
  weak    the two inputs of o depend on a common pin or gate (a signal depends on itself)
"""
