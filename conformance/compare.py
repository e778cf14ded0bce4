"""One game under many rulesets: differences, what fits, and what an engine plays.

`differences` searches small deals for the shortest game that two rulesets judge
differently. `fitting` says under which changes of the rules everything that was heard
is explained, nearest first. `infer` finds such changes, so that a house rule is told
from a bug.
"""

from conformance.differences import (
    Comparison,
    Difference,
    acts_worth_asking,
    differences,
)
from conformance.fits import (
    Change,
    Fit,
    Record,
    changed,
    fitting,
    heard,
    misfits,
    record_of,
    values_to_try,
)
from conformance.inference import Inference, infer

__all__ = [
    "Change",
    "Comparison",
    "Difference",
    "Fit",
    "Inference",
    "Record",
    "acts_worth_asking",
    "changed",
    "differences",
    "fitting",
    "heard",
    "infer",
    "misfits",
    "record_of",
    "values_to_try",
]
