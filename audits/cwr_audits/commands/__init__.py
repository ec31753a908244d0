"""What each command does; the options are declared in cwr_audits.cli, the names resolved in cwr_audits.late."""
