"""One module a route: what its worker loads and how it answers (see cwr_audits.wire)."""
