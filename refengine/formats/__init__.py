"""Everything that is read or written: traces, logs, mini-deals and the protocol."""
