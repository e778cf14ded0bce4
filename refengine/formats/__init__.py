"""Everything that is written and read: traces, logs, mini-deals, the protocol."""
