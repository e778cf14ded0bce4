"""OpenSpiel's Hearts and this engine in lockstep."""
