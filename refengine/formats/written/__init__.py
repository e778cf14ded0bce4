"""Games as people write them down: read in many forms, but written in only one."""
