"""Run `refengine conform proofs`."""

import sys

from refengine_conformance.proofs import main

sys.exit(main())
