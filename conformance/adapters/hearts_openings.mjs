// Which clauses of the law book refuse a game before it begins (0.7a), for the example
// engine in hearts_engine.mjs. `options` has a value for every option.
import { readCards } from "./hearts_engine.mjs";

// Of a list of pairs, a clause and whether it is broken, the clauses that are.
const broken = (...pairs) => pairs.filter(([, wrong]) => wrong).map(([clause]) => clause);
// The first of these groups that names anything; a later one is not even worked out.
const first = (...groups) => groups.reduce((found, group) => (found.length ? found : group()), []);
const twice = (cards) => new Set(cards).size < cards.length;
const differ = (numbers) => new Set(numbers).size > 1;

function handSize(options, players, cards, named) {
  if (options.hand_size !== "all") return options.hand_size;
  if (options.undealt === "kitty" && !named && players === 4) return 12;
  return Math.floor(cards / players);
}

// The cards of the full pack that are left when the hands are dealt; below 0, too few.
function leftOver(options, players) {
  const cards = 52 - (options.removal === "none" ? 0 : 52 % players);
  return cards - players * handSize(options, players, cards, false);
}

export function rulesetBreaks(options, players, allowed) {
  const { undealt, removal, moon, limit } = options;
  const left = leftOver(options, players);
  const early = options.deal_ends === "no_points_left";
  const reset = options.exact_limit_becomes;
  const endless = limit === "none";
  return first(() => broken(["2.6", !allowed.includes(players)]), () => broken(
    ["3.9", undealt === "none" && left > 0],
    ["3.9a", undealt === "stock" && options.hand_size === "all"],
    ["3.9b", undealt !== "none" && removal !== "none"],
    ["3.9c", left < 0],
    ["5.2a", options.opening_leader === "left_of_dealer" && options.opening_card !== "any"],
    ["5.14b", early && undealt !== "none"],
    ["5.14c", early && options.sun_points !== 0],
    ["5.14d", early && options.no_trick_points !== 0],
    ["8.10", moon !== "none" && options.heart_points === 0],
    ["8.10a", moon === "none" && options.sun_points !== 0],
    ["9.8a", !endless && reset !== "none" && reset >= limit],
    ["9.8b", endless && reset !== "none"],
    ["9.8c", endless && options.ties !== "shared"],
    ["9.8d", endless && moon === "others_plus_unless_losing"],
  ));
}

// The cycle that is left at a table of so many (4.1a), and the cards that a way needs.
function cycleOf({ pass_cycle: cycle }, players) {
  return cycle.filter((way) => players % 2 === 0 || way !== "across");
}

function needed(way, options, players) {
  if (way === "hold") return 0;
  return way === "scatter" ? players - 1 : options.pass_count;
}

export function matchBreaks(options, players, { pack }) {
  const cards = pack ? readCards(pack).length : 52 - (options.removal === "none" ? 0 : 52 % players);
  const size = handSize(options, players, cards, Boolean(pack));
  const left = cards - size * players;
  return first(() => broken(
    ["3.9e", pack && size === 0],
    ["3.9f", pack && left < 0],
    ["3.9g", pack && options.undealt === "none" && left > 0],
  ), () => broken(
    ["4.11", cycleOf(options, players).some((way) => needed(way, options, players) > size)],
  ));
}

export function setupBreaks(options, players, setup) {
  const hands = setup.hands.map(readCards);
  const stock = readCards(setup.stock);
  const kitty = readCards(setup.kitty);
  const misplaced = [["3.12g", options.undealt !== "stock" && stock.length > 0],
    ["3.12h", options.undealt !== "kitty" && kitty.length > 0]];
  if (setup.phase === "play") {
    return first(() => broken(...misplaced), ...positionGroups(options, players, setup, { hands, stock, kitty }));
  }
  const sizes = hands.map((hand) => hand.length);
  const cycle = cycleOf(options, players);
  const way = cycle.length ? cycle[(setup.deal - 1) % cycle.length] : "hold";
  return first(() => broken(
    ["3.12d", differ(sizes)],
    ["3.12e", sizes.includes(0)],
    ["3.12f", twice([...hands, stock, kitty].flat())],
    ...misplaced,
  ), () => broken(["4.11", sizes[0] < needed(way, options, players)]));
}

function positionGroups(options, players, setup, { hands, stock, kitty }) {
  const { leader, out = [], first_trick: opening = false } = setup;
  const table = readCards(setup.trick);
  const taken = (setup.taken ?? []).flatMap(readCards);
  const won = (setup.tricks ?? []).reduce((sum, number) => sum + number, 0);
  const step = options.direction === "clockwise" ? 1 : players - 1;
  const order = [...hands.keys()].map((turn) => (leader + step * turn) % players).filter((seat) => !out.includes(seat));
  const before = hands.map((hand, seat) => [...hand, ...table.filter((_, place) => order[place] === seat)]);
  const counts = (card) => card === options.bonus_card || worth(options, card) !== 0;
  return [() => broken(
    ["3.12b", options.deal_ends === "no_points_left" && !table.length && !opening && !hands.flat().some(counts)],
    ["3.12c", options.kitty_to === "first_trick" && !opening && kitty.length > 0],
    ["3.12j", twice([...hands.flat(), ...table, ...taken, ...stock, ...kitty])],
    ["3.12k", out.some((seat) => hands[seat].length > 0)],
    ["3.12m", out.includes(leader)],
    ["3.12n", !setup.hearts_broken && table.some((card) => card[1] === "H")],
    ["3.12p", taken.length > 0 && won === 0],
    ["3.12q", opening && won > 0],
  ), () => broken(["3.12r", table.length >= order.length]), () => broken(
    ["3.12s", before.filter((hand) => hand.length).length < 2],
    ["3.12t", before.some((hand, seat) => !hand.length && !out.includes(seat))],
    ["3.12u", options.undealt !== "stock" && differ(before.map((hand) => hand.length))],
    ["3.12v", options.undealt !== "stock" && opening && leader !== openingLeader(options, players, setup.dealer, before)],
  )];
}

function worth(options, card) {
  if (card[1] === "H") return options.heart_points;
  const costs = { QS: "queen_points", KS: "king_points", AS: "ace_points" };
  return options[costs[card]] ?? 0;
}

function openingLeader(options, players, dealer, hands) {
  const clubs = hands.flat().filter((card) => card[1] === "C");
  if (options.opening_leader === "left_of_dealer" || !clubs.length) return (dealer + 1) % players;
  const rank = (card) => "23456789TJQKA".indexOf(card[0]);
  const lowest = clubs.reduce((one, other) => (rank(other) < rank(one) ? other : one));
  return hands.findIndex((hand) => hand.includes(lowest));
}
