"""Everything that is written and read: lines, traces, logs, mini-deals, the protocol."""
