/** The rules of Hearts and Domino Hearts. Games are plain JSON values throughout. */

/** How a game begins: a deal as found, a position in it, or a match; a match if nothing is said. */
export interface Start {
  setup?: Setup;
  match?: Match;
}

/** Whether an act is allowed, and the clauses of the book that it breaks. */
export interface Verdict {
  verdict: "legal" | "irregular" | "refused";
  clauses: string[];
}

/** One moment of a game. It never changes: each act gives another. */
export class Game {
  private constructor();
  /** What is due: `turn`, the seats that are to act, and a key that says what. */
  readonly legal: Due;
  /** Whether the seat may do this now. Throws Malformed. */
  verdict(seat: number, act: Act): Verdict;
  /** The game after the act. Throws Refused if the rules forbid it, and Malformed. */
  apply(seat: number, act: Act): Game;
  /** All that there is to see. */
  observe(): Observation;
  /** What this seat knows, and nothing else. Throws Malformed. */
  observe(seat: number): View;
  /** What this seat was told of the act that led here. Throws Malformed, also before the first act. */
  event(seat: number): Told;
  /** All games from here on, counted. Throws NotCounted beyond the limit. */
  enumerate(limit?: number): Count;
}

/** The first moment of a game. Throws Refused if the rules forbid it, and Malformed. */
export function open(ruleset: Ruleset, start?: Start): Game;

/** What is thrown where a clause forbids an act, a ruleset or a beginning. */
export interface Refused extends Error {
  name: "Refused";
  clauses: string[];
}

/** What is thrown for values that do not have the form of docs/formats.md. */
export interface Malformed extends Error {
  name: "Malformed";
}

/** What is thrown where games are not counted: there are too many. */
export interface NotCounted extends Error {
  name: "NotCounted";
}

/** What this is: its version, and the editions of the book that are in it. */
export const about: {
  version: string;
  spec: string;
  editions: string[];
  capabilities: string[];
};

/** A question that comes up at a table; `ask` says of which kind, other keys what is known. */
export interface Question {
  rules?: Partial<Ruleset>;
  ask: "card" | "hand" | "draw" | "pass" | "score" | "end" | "revoke" | "turn" | "opening" | "table";
  [key: string]: unknown;
}

/** A sentence, and the clauses that it rests on. */
export interface Sentence {
  text: string;
  clauses: string[];
}

/** What the book says to a question, in words and with the clauses to cite. */
export interface Answer {
  headline: string;
  verdict?: "legal" | "irregular" | "refused";
  why?: Sentence[];
  granted?: string[];
  mattered?: (Sentence & { option: string; value: unknown })[];
  follows?: Sentence[];
  columns?: string[];
  rows?: (string | number)[][];
  cited: { clause: string; citation: string; title: string }[];
  [key: string]: unknown;
}

/** An option of a ruleset in words. */
export interface DescribedOption {
  option: string;
  /** As it is typed. */
  value: string;
  /** What people call the option. */
  name: string;
  /** What people call the value. */
  said: string;
  meaning: string;
  /** The clause that says most about it. */
  clause: string;
}

/** The answer to a question. Throws Malformed. */
export function answer(question: Question): Answer;

/** A ruleset in words: its title, its players and all of its options. Throws Malformed. */
export function describe(rules?: Partial<Ruleset>): {
  profile: string;
  title: string;
  players: number;
  options: DescribedOption[];
};

/** What stands above the parts of an answer: `why`, `follows`, `mattered` and others. */
export const headings: { readonly [part: string]: string };

/** The profiles of the book. */
export function profiles(): {
  profile: string;
  title: string;
  summary: string;
  players: number[];
  players_with_kitty: number[];
  usual_players: number;
}[];

/** Cards as people write them, such as `10h` or `Q♠`, in the notation of the book. Throws Malformed. */
export function cards(text: string): string;

/** The form of each request of the protocol, by its op: a JSON Schema. */
export const requests: { [op: string]: object };

/** The value without keys that begin with `x-`. Throws Malformed if it does not have the form. */
export function inForm(value: unknown, form: object): unknown;
