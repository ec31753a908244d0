"""Solver engines that know no world: each runs one solver to the end, or raises Undecided."""
