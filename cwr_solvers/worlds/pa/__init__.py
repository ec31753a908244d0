"""Typed-port assembly (PA): components with typed ports, wired one to one. This text is the rule book.

Vocabulary
  component   has input ports and output ports, each with a type; a port is named COMPONENT.PORT; an instance has at
              most 256 components
  kind        what a component is (components of one kind are built alike); its own name where none is stated
  connection  {"from": port, "to": port}; making one is a step and costs one; connections are never removed
  submission  {"connections": [connection, ...]}, any number, also none
  forbidden   components that may not be used at all (degree 0 throughout)

Rules of a step, preconditions, judged side by side unless said otherwise
  R1  direction   `from` is an output port and `to` an input port
  R2  type        both ports have the same type (judged whatever their directions)
  R3  from free   `from` is not yet an end of a connection
  R4  to free     `to` is not yet an end of a connection
  R5  self        the ports belong to different components
  R6  forbidden   neither component is forbidden
A duplicate of an existing connection breaks R3 and R4. A port connected with itself breaks R1 and R5 (its one type is
equal).

Rules of a step, judged on the state after it, and only when R1 to R6 hold
  R7  cycle       the components, with an arrow from the component of `from` to that of `to` for each connection, form
                  no cycle
  R8  connections the number of connections so far is at most the connection budget
  R9  cost        the cost so far is at most the cost budget

Rule of the end
  G   goal        every port that the goal lists is connected, and for every pair that it lists there is a directed path
                  of at least one connection from the first component to the second. "All inputs connected" and
                  "supplied from S" of a text are written as ports and pairs.

Malformed, not illegal: unknown ports. In a state: unknown ports, a connection whose ends break R1, a port that is an
end twice, `steps` or `cost` other than the number of connections (connections are never removed, and each costs one).
States in P may otherwise be any (types mismatched, forbidden components used, cycles).

All rules are kept by every subset of a legal set of connections, so every order of a legal set is legal. A word lists
its connections sorted by (from, to); it stands for n! raw submissions, n the number of its connections.

Symmetries that a class forgets: the order of connections; the exchange of twin ports (the instance lists groups of
ports of one component, of one direction and type, that are interchangeable); and the exchange of alike components (the
instance lists groups of components with equal ports: exchanging two renames all ports of one into those of the other).
The goal, the forbidden components and the roles of an instance with twins or alike components must be invariant under
them, else it is malformed.

Motif `main`. The instance may name roles: splitters, a goal component and spares. It holds when
  (a) some splitter has two connections leading to different components b1 and b2 of different kinds;
  (b) from b1 and from b2 run two directed paths (each possibly of one component only) that share no component and
      neither of which contains the splitter, and a component m, on neither path, receives a connection from the last
      component of each;
  (c) m is the goal component or a directed path leads from m to it;
  (d) some spare component is isolated, although it has a port that is free, and another component's unconnected or
      connected port of the opposite direction has the same type.
It is false where a role is not named.
"""
