"""Motifs audited: what label each reading earns, who agrees on it, whether it survives, and how common it is.

reading     one motif of a family, by its name; a world has all readings of its family
label       over the whole bound of the instance, taken from the checked certificate:
              necessary     every accepted submission has it: refuted that one lacks it
              witness-only  the witness has it, and a counterexample is accepted without it
              absent        the witness lacks it (nothing is claimed of it)
              no solution   nothing is accepted
              undecided     a limit came first
listing     every class of the instance with its words, and of each motif the words that have it by the graph predicate
route       who else says which words lack a motif: `clauses` (the statement's), `cpsat`, `smt` (constraints in the
            encodings). A route whose encoding has no constraints for a motif is "not measured", which is no agreement
survival    the label under the bound raised by one and by two (cwr_audits.raised)
base rate   of a motif over the classes of random instances of its family; what always holds certifies nothing
"""
