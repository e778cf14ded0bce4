"""`python -m refengine`."""

from refengine.cli.main import main

main()
