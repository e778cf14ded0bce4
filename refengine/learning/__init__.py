"""Environments for reinforcement learning, the only code to need the extra `rl`."""

from importlib.util import find_spec

_NEEDED = ("gymnasium", "pettingzoo", "librt", "numpy")
_MISSING = [name for name in _NEEDED if find_spec(name) is None]
if _MISSING:
    raise ModuleNotFoundError(
        f"refengine.learning needs the extra rl, for {', '.join(_MISSING)}: "
        "pip install 'refengine[rl]', or '.[rl]' in a checkout",
        name=_MISSING[0],
    )
