"""The old name of `refengine.comparison.option_differences`, kept until version 0.4."""

from warnings import warn

from refengine.comparison.option_differences import *  # noqa: F403  # all of its names

warn(
    "refengine_conformance.comparison is refengine.comparison now; "
    "the old name will be removed in version 0.4",
    DeprecationWarning,
    stacklevel=2,
)
