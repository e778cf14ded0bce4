"""`python -m refengine`."""

from refengine.cli import main

main()
