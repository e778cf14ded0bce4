"""Everything that is read and written: traces, logs, mini-deals, the protocol."""
