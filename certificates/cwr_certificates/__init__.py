"""What a stranger can check: statements, proofs, and the small programs that judge them."""
