"""The state machine that puts the chapters together, over one immutable core.

What is due, which clauses an act breaks, what comes after it, how deals begin and end.
Compiled; nothing here is public but the playouts and counts of whole deals.
"""
