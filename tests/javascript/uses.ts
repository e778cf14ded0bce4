// Uses of the package that TypeScript's compiler has to accept, and some it must not.

import { Game, about, answer, cards, describe, headings, open, profiles } from "refengine";
import type { Act, Due, Malformed, Observation, Refused, Ruleset, Setup, Told, Verdict, View } from "refengine";

const ruleset: Ruleset = {
  profile: "common-hearts",
  players: 4,
  options: { first_trick_points: "allowed", pass_cycle: ["left", "hold"], limit: 50, moon: "self_minus" },
};
const setup: Setup = { dealer: 0, deal: 4, hands: ["2C", "3C", "4C", "5C"] };
const game: Game = open(ruleset, { setup });
const act: Act = { play: "2C" };
const verdict: Verdict = game.verdict(0, act);
const due: Due = game.legal;
const cardsToPlay: string | undefined = due.play;
const seen: Observation = game.apply(0, act).observe();
const known: View = game.observe(2);
const heard: Told = game.apply(0, act).event(3);
const whole: Act | undefined = heard.act;
const hand: string = known.hand;
const scores: number[] = game.enumerate(100).scores[0].score;
const acts: Act[] = [
  { deal: { hands: ["2C", "3C"], stock: "4C" } },
  { pass: { "1": "QS" } },
  { claim: { seat: 1, trick: 2 } },
  { moon: { one: 3 } },
  { moon: "others_plus" },
  { forward: 1 },
];

try {
  open(ruleset);
} catch (error) {
  if ((error as Error).name === "Refused") console.log((error as Refused).clauses.join());
  if ((error as Error).name === "Malformed") console.log((error as Malformed).message);
}

const said: string = answer({ rules: ruleset, ask: "hand", hand: "QS 2H" }).headline;
const named: string = describe(ruleset).options[0].meaning;
const usual: number = profiles()[0].usual_players;
const editions: string[] = about.editions;
console.log(verdict.clauses, cardsToPlay, seen.totals, hand, scores, acts, said, named, usual, editions, cards("10h"), headings.why);

// @ts-expect-error an option that the book does not have
open({ profile: "common-hearts", players: 4, options: { joker: true } });
// @ts-expect-error a value that the option does not take
open({ profile: "common-hearts", players: 4, options: { first_trick_points: "sometimes" } });
// @ts-expect-error a profile that the book does not have
open({ profile: "whist", players: 4 });
// @ts-expect-error a card is a text
game.verdict(0, { play: 7 });
// @ts-expect-error an act of no kind
game.apply(0, { wish: "2C" });
// @ts-expect-error games are opened
new Game();
// @ts-expect-error a game does not change
game.legal = due;
