"""Runs a conformance module with refengine loaded from source, even if it is compiled.

It is run as `python -m refengine_conformance.mutants.from_source MODULE ARGUMENTS`.
"""

import runpy
import sys

from refengine_conformance.mutants.catalogue import UNCHANGED
from refengine_conformance.mutants.loading import become_mutant

if __name__ == "__main__":
    become_mutant(UNCHANGED)
    sys.argv = sys.argv[1:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
