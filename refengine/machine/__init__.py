"""The state machine that puts the chapters together, over one immutable core.

It says what is due, which clauses an act breaks, what follows it, and how deals begin
and end. Compiled; nothing here is public but the notation of cards, the playouts and
the counts of all games.
"""
