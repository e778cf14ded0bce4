"""Runs the command line as `python -m refengine`."""

from refengine.cli.main import main

main()
