"""Chapter 4: what is passed, scattered and mixed is what comes back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from conformance.proofs.deal import Deal, at_most, deals, even
from conformance.proofs.theorem import Theorem, implies, z3_flag
from conformance.symbolic import (
    a_flag,
    apart,
    together,
    truth,
    z3,
)
from refengine import passing
from refengine.passing import Packet
from refengine.rules import ACROSS, LEFT, RIGHT


def _pass_keeps(way: int) -> Callable[[Deal], Any]:
    """That what the seats receive are the cards they handed in, each card once."""

    def claim(deal: Deal) -> Any:
        packets = [
            Packet(cast(Any, pile), (), cast(Any, a_flag(f"unseen {seat}")))
            for seat, pile in enumerate(deal.taken)
        ]
        unseen = [truth(packet.unseen) for packet in packets]
        nothing = [
            z3.Implies(unseen[seat], pile.term == 0)
            for seat, pile in enumerate(deal.taken)
        ]
        received = passing.exchange(way, tuple(packets))
        return implies(
            z3_flag(*nothing, *apart(deal.taken)),
            z3_flag(*apart(received), together(received) == together(deal.taken)),
        )

    return claim


def theorems() -> list[Theorem]:
    """Of each way to pass."""
    return [
        *[
            Theorem(
                f"a pass {name} moves each card once, forwards too",
                ("4.2", "4.8", "4.9b"),
                at_most(6, cases),
            )
            for name, cases in (
                ("left", deals(_pass_keeps(LEFT))),
                ("right", deals(_pass_keeps(RIGHT))),
                ("across", even(deals(_pass_keeps(ACROSS)))),
            )
        ],
    ]
