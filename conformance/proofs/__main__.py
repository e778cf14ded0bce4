"""`python -m conformance.proofs`."""

import sys

from conformance.proofs import main

sys.exit(main())
