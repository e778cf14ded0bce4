"""The options of a ruleset as plain values, for the clause functions (clause 0.4).

Each option is turned into booleans, masks or small numbers, which are read by the
clause functions that depend on the option; nothing is decided on the way.
`refengine.lawbook.options` holds the names, the values and the conversion itself.
"""

from typing import Final, final

from mypy_extensions import i64

from refengine.sealing import seal

# removal
NO_REMOVAL: Final = 0
LOWEST: Final = 1
LOWEST_NO_HEARTS: Final = 2

# undealt
NONE: Final = 0
STOCK: Final = 1
KITTY: Final = 2

# entries of pass_cycle
HOLD: Final = 0
LEFT: Final = 1
RIGHT: Final = 2
ACROSS: Final = 3
SCATTER: Final = 4
MIX: Final = 5

# opening_card (opening_leader becomes a boolean, left_of_dealer_leads)
LOWEST_CLUB: Final = 0
ANY_CLUB: Final = 1
ANY: Final = 2

# queen_waits
NO_WAIT: Final = 0
WAITS_TO_LEAD: Final = 1
WAITS_TO_PLAY: Final = 2

# kitty_to
FIRST_POINTS: Final = 0
FIRST_TRICK: Final = 1
LAST_TRICK: Final = 2

# moon
NO_MOON: Final = 0
CHOICE_ALL: Final = 1
CHOICE_ONE: Final = 2
SELF_MINUS: Final = 3
OTHERS_PLUS: Final = 4
OTHERS_PLUS_UNLESS_LOSING: Final = 5

# revoke_until
TRICK_COMPLETE: Final = 0
TRICK_QUITTED: Final = 1
NEXT_LEAD: Final = 2


@final
class Rules:
    """The options of one ruleset as booleans, masks and small integers.

    A mask is a plain integer here; `refengine.chapters.cards` says what its bits mean.
    `make registry` writes the code below from `lowered` in `refengine.lawbook.options`,
    which defines every setting and what it is made from.
    """

    def __init__(
        self,
        players: i64,
        counterclockwise: bool,
        removal: i64,
        hand_size: i64,
        undealt: i64,
        mix_kitty: bool,
        pass_count: i64,
        pass_cycle: tuple[int, ...],
        pass_unseen: bool,
        left_of_dealer_leads: bool,
        opening_card: i64,
        hearts_free: bool,
        queen_breaks_hearts: bool,
        all_hearts_leader_draws: bool,
        hearts_or_queen_any: bool,
        first_trick_barred: bool,
        queen_waits: i64,
        queen_duty: bool,
        kitty_to: i64,
        ends_without_points: bool,
        survivor_takes_stock: bool,
        last_to_play_takes_stock: bool,
        heart_points: i64,
        hearts_cost_face: bool,
        queen_points: i64,
        king_points: i64,
        ace_points: i64,
        bonus_card: i64,
        bonus_points: i64,
        moon: i64,
        moon_needs_bonus: bool,
        sun_points: i64,
        no_trick_points: i64,
        revokes_penalised: bool,
        revoke_until: i64,
        revoke_costs_all: bool,
        revoke_points: i64,
        revoke_ends_deal: bool,
        has_limit: bool,
        limit: i64,
        limit_exceeded: bool,
        has_reset: bool,
        reset_to: i64,
        ties_played_on: bool,
        deals: i64,
    ) -> None:
        self.players: Final = players
        self.counterclockwise: Final = counterclockwise
        self.removal: Final = removal
        self.hand_size: Final = hand_size
        self.undealt: Final = undealt
        self.mix_kitty: Final = mix_kitty
        self.pass_count: Final = pass_count
        self.pass_cycle: Final = pass_cycle
        self.pass_unseen: Final = pass_unseen
        self.left_of_dealer_leads: Final = left_of_dealer_leads
        self.opening_card: Final = opening_card
        self.hearts_free: Final = hearts_free
        self.queen_breaks_hearts: Final = queen_breaks_hearts
        self.all_hearts_leader_draws: Final = all_hearts_leader_draws
        self.hearts_or_queen_any: Final = hearts_or_queen_any
        self.first_trick_barred: Final = first_trick_barred
        self.queen_waits: Final = queen_waits
        self.queen_duty: Final = queen_duty
        self.kitty_to: Final = kitty_to
        self.ends_without_points: Final = ends_without_points
        self.survivor_takes_stock: Final = survivor_takes_stock
        self.last_to_play_takes_stock: Final = last_to_play_takes_stock
        self.heart_points: Final = heart_points
        self.hearts_cost_face: Final = hearts_cost_face
        self.queen_points: Final = queen_points
        self.king_points: Final = king_points
        self.ace_points: Final = ace_points
        self.bonus_card: Final = bonus_card
        self.bonus_points: Final = bonus_points
        self.moon: Final = moon
        self.moon_needs_bonus: Final = moon_needs_bonus
        self.sun_points: Final = sun_points
        self.no_trick_points: Final = no_trick_points
        self.revokes_penalised: Final = revokes_penalised
        self.revoke_until: Final = revoke_until
        self.revoke_costs_all: Final = revoke_costs_all
        self.revoke_points: Final = revoke_points
        self.revoke_ends_deal: Final = revoke_ends_deal
        self.has_limit: Final = has_limit
        self.limit: Final = limit
        self.limit_exceeded: Final = limit_exceeded
        self.has_reset: Final = has_reset
        self.reset_to: Final = reset_to
        self.ties_played_on: Final = ties_played_on
        self.deals: Final = deals

    def __reduce__(self) -> tuple[object, ...]:
        return Rules, (
            self.players,
            self.counterclockwise,
            self.removal,
            self.hand_size,
            self.undealt,
            self.mix_kitty,
            self.pass_count,
            self.pass_cycle,
            self.pass_unseen,
            self.left_of_dealer_leads,
            self.opening_card,
            self.hearts_free,
            self.queen_breaks_hearts,
            self.all_hearts_leader_draws,
            self.hearts_or_queen_any,
            self.first_trick_barred,
            self.queen_waits,
            self.queen_duty,
            self.kitty_to,
            self.ends_without_points,
            self.survivor_takes_stock,
            self.last_to_play_takes_stock,
            self.heart_points,
            self.hearts_cost_face,
            self.queen_points,
            self.king_points,
            self.ace_points,
            self.bonus_card,
            self.bonus_points,
            self.moon,
            self.moon_needs_bonus,
            self.sun_points,
            self.no_trick_points,
            self.revokes_penalised,
            self.revoke_until,
            self.revoke_costs_all,
            self.revoke_points,
            self.revoke_ends_deal,
            self.has_limit,
            self.limit,
            self.limit_exceeded,
            self.has_reset,
            self.reset_to,
            self.ties_played_on,
            self.deals,
        )


seal(Rules)
