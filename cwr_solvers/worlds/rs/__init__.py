"""Resource and precedence scheduling (RS): jobs on renewable resources, integer time. This text is the rule book.

Vocabulary
  job         a duration of at least 0, a demand on each resource, and a set of predecessors (`after`)
  resource    renewable, with a capacity of at least 0
  occupancy   a job started at s with duration d holds its demand at every instant of [s, s+d); a job of duration 0
              holds nothing
  deadline    no job may end later; starts are integers from 0 to the deadline
  submission  {"starts": {job: start}} with every job of the instance exactly once
  event       starting one job: the primitive {"job": name, "start": time}; it counts one step
  makespan    the latest end so far, counted from clock 0; this is the cost (0 when nothing was started)

Events run in order of start. Events of one start run in the least order by job name (code points) in which a
predecessor of duration 0 comes before its successors: repeatedly the least job whose predecessors of duration 0 with
the same start have all run.

A state has the clock, and for each job its status (unstarted, running, complete), start and end. An event first moves
the clock to its start; every job that ends at or before the clock is then complete and has returned its resources; then
the start is judged. A job of duration 0 is complete as soon as it is started. Idling is allowed.

Rules of an event, preconditions
  R1  clock         the start is not before the clock
  R2  unstarted     the job was not started yet
  R3  predecessors  every predecessor is complete at the start; judged only when R1 and R2 hold
  R4  resources     of every resource at least the demand is free; judged only when R1 and R2 hold, and not for a job of
                    duration 0, which holds nothing

Rule of an event, judged on the state after it, and only when R1 to R4 hold
  R5  deadline      the job ends at or before the deadline

Rule of the end. E's final state is taken at the makespan: the clock moves there and all is complete.
  G   goal          every job is complete

Malformed, not illegal: a missing or unknown job; a start outside 0..deadline; in a state, an unknown status, start and
end that do not fit status, duration or clock, running jobs that exceed a capacity, a `free` that is not the capacity
less the demand of the running jobs, `steps` that is not the number of started jobs, `cost` that is not the latest
end. In a state `start` and `end` are null exactly for unstarted jobs; end = start + duration; running means
start ≤ clock < end; complete means end ≤ clock. Ends in a state may be beyond the deadline, and predecessors may be
unstarted (P starts from any well-typed state). A P probe may name any start from 0 to the deadline.
An instance with a cycle of predecessors is malformed; one whose demand exceeds a capacity is not (it is infeasible).

A submission in which every event is legal has every job ended by the deadline, so it meets the goal.

Symmetries that a class forgets: none.

Motifs. A source is a job without predecessors, a sink one that is nobody's predecessor. Each is false unless the
instance has exactly two sources s1, s2 and exactly one sink t, three different jobs. Two jobs overlap in time when
each starts before the other ends and both have positive duration.
  overlap   s1 and s2 overlap, and t runs last and alone: every other job ends at or before the start of t
  crossed   overlap, and some job other than t has both s1 and s2 among its direct predecessors, and another job other
            than t has exactly one of the two, and for some resource the demand of t is the whole capacity (at least 1)
  strict    crossed, and s1 and s2 both start at 0
  full      strict, and two different jobs that are neither sources nor the sink, one with both sources and one with
            exactly one of them as direct predecessors, overlap
"""
