"""The state machine of a match, which puts the rules of the chapters together.

From one immutable `Core`, it says what is due, which clauses an act breaks, what
follows the act, and how deals begin and end. The package is compiled, and nothing in it
is public apart from the notation of cards, the playouts and the counting of games.
"""
