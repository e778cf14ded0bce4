// Games as plain JSON values, in the forms of docs/formats.md: what is given becomes
// values of the rules that are carried over, and what they say becomes plain again.
// The build puts this file behind those rules, whose names have a `$`. No rule is here.

const plain = (value) => {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, one]) => [key, plain(one)]));
  return Array.isArray(value) ? value.map(plain) : value;
};

const within = (where, read) => {
  try {
    return read();
  } catch (error) {
    throw error instanceof errors$Malformed ? error.within(where) : error;
  }
};

// Forms

const types = {
  object: (value) => value !== null && typeof value === "object" && !Array.isArray(value),
  array: Array.isArray,
  integer: Number.isSafeInteger,
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
};
const said = (value) => (JSON.stringify(value) ?? String(value)).slice(0, 80);
const malformed = (found, allowed) => new errors$Malformed(found, allowed, "");

// The value without keys that begin with `x-`; an error that is named "Malformed" for
// one that does not have the form, which is a JSON Schema.
export function inForm(value, form) {
  if (form.$ref) return inForm(value, $forms.$defs[form.$ref.slice("#/$defs/".length)]);
  if (form.anyOf) return oneOf(value, form.anyOf);
  const allowed = form.enum ?? (form.const === undefined ? undefined : [form.const]);
  if (allowed && !allowed.includes(value)) throw malformed(said(value), allowed.map(said).join(" or "));
  if (form.type && !types[form.type](value)) throw malformed(said(value), `what is of type ${form.type}`);
  if (value < form.minimum || value > form.maximum) {
    throw malformed(said(value), `a whole number from ${form.minimum} to ${form.maximum}`);
  }
  if (form.type === "array") {
    return value.map((one, at) => within(`[${at}]`, () => inForm(one, form.items ?? {})));
  }
  return form.type === "object" ? objectInForm(value, form) : value;
}

function oneOf(value, forms) {
  const faults = [];
  for (const form of forms) {
    try {
      return inForm(value, form);
    } catch (error) {
      faults.push(error);
    }
  }
  throw faults.find((one) => one.where) ?? faults.at(-1);
}

function objectInForm(value, form) {
  const entries = Object.entries(value).filter(([key]) => !key.startsWith("x-"));
  const patterns = Object.entries(form.patternProperties ?? {}).map(([one, inner]) => [new RegExp(one), inner]);
  const found = {};
  for (const [key, one] of entries) {
    const known = Object.hasOwn(form.properties ?? {}, key) && form.properties[key];
    const inner = known || patterns.find(([pattern]) => pattern.test(key))?.[1];
    if (!inner && form.additionalProperties === false) {
      throw malformed(`the key ${said(key)}`, Object.keys(form.properties ?? {}).join(", ") || "a seat");
    }
    found[key] = within(key, () => inForm(one, inner || form.additionalProperties || {}));
  }
  const missing = (keys) => keys.filter((key) => !Object.hasOwn(found, key));
  const [first] = missing(form.required ?? []);
  if (first) throw malformed("nothing", "a value, which has to be there").within(first);
  for (const [key, others] of Object.entries(form.dependentRequired ?? {})) {
    if (Object.hasOwn(found, key) && missing(others).length) throw malformed(`${key} alone`, `${others} beside it`);
  }
  if (form.oneOf && form.oneOf.filter((one) => !missing(one.required).length).length !== 1) {
    throw malformed(said(value), `exactly one of ${form.oneOf.map((one) => one.required).join(", ")}`);
  }
  return found;
}

// The form of each request of the protocol, by its op.
export const requests = Object.fromEntries(
  $forms.anyOf.map((one) => {
    const form = $forms.$defs[one.$ref.slice("#/$defs/".length)];
    return [form.properties.op.enum[0], form];
  }),
);

const ofKind = (name, value) => within(name.toLowerCase(), () => inForm(value, $forms.$defs[name]));

// What is given

const makers = {
  cut: (seat, card) => new acts$Cut(seat, card),
  deal: (seat, { hands, stock, kitty }) => new acts$Deal(seat, hands, stock, kitty),
  pass: (seat, cards) =>
    typeof cards === "string"
      ? new acts$Pass(seat, cards)
      : new acts$Scatter(seat, new Map(Object.entries(cards).map(([to, card]) => [Number(to), card]))),
  forward: (seat) => new acts$PassUnseen(seat),
  mix: (seat, { hands, kitty }) => new acts$Mix(seat, hands, kitty),
  draw: (seat) => new acts$Draw(seat),
  play: (seat, card) => new acts$Play(seat, card),
  retract: (seat, card) => new acts$Retract(seat, card),
  quit: (seat) => new acts$QuitTrick(seat),
  claim: (seat, { seat: against, trick }) => new acts$Claim(seat, against, trick),
  moon: (seat, choice) => new acts$MoonChoice(seat, choice.one ?? choice),
};

function actOf(seat, act) {
  const [[kind, given]] = Object.entries(ofKind("Act", act));
  return within(`act.${kind}`, () => makers[kind](seat, given));
}

function rulesetOf(given) {
  const { profile, players, options } = ofKind("Ruleset", given);
  return within("ruleset", () => new rulesets$Ruleset(profile, players, new Map(Object.entries(options ?? {}))));
}

function startOf({ setup, match }) {
  if (!setup) {
    const { dealer, pack } = ofKind("Match", match ?? {});
    return within("match", () => new setups$Match(dealer, pack));
  }
  const given = ofKind("Setup", setup);
  return within("setup", () => new setups$Setup(...setups$Setup.$fields.map((name) => given[name])));
}

// Games

// One moment of a game, which never changes: each act gives another.
export class Game {
  #state;
  #drew;
  #last; // the act that led here, and the state before it

  constructor(state, drew = null, last = null) {
    this.#state = state;
    this.#drew = drew;
    this.#last = last;
  }

  // What is due: `turn`, and a key that says what.
  get legal() {
    return plain(fields$due_fields(this.#state.legal.due));
  }

  // Whether the act is legal, irregular or refused, and by which clauses.
  verdict(seat, act) {
    return verdictOf(this.#state.verdict(actOf(seat, act)));
  }

  // The game after the act; an error that is named "Refused", with its `clauses`, if
  // the rules forbid it.
  apply(seat, act) {
    const made = actOf(seat, act);
    const after = this.#state.apply(made);
    return new Game(after, fields$drawn_by(this.#state, made, after), [this.#state, made]);
  }

  // All that there is to see or, of a seat, what it knows.
  observe(seat) {
    if (seat === undefined) return plain(fields$state_fields(this.#state, this.#drew));
    return plain(fields$view_fields(this.#state.observe(seat)));
  }

  // What this seat was told of the act that led here: who did what, and as much of the
  // act as it may know. An error that is named "Malformed" before the first act.
  event(seat) {
    if (!this.#last) throw malformed("no act yet", "an act before it");
    const [before, act] = this.#last;
    return plain(views$told_fields(before.event(act, seat)));
  }

  // All games from here on, counted; an error that is named "NotCounted" where there
  // are more than the limit, or where they are not counted.
  enumerate(limit = 100000) {
    const why = minideals$why_not_enumerated(this.#state);
    if (why) throw notCounted(why);
    const counts = { games: 0, plies: [], divide: {}, scores: new Map() };
    walk(this.#state, 0, limit, counts);
    const scores = [...counts.scores.values()].sort((one, other) => $.compared(one.score, other.score));
    return { ...counts, scores };
  }
}

// Every game by the legal acts of the lowest seat that is to act.
function walk(state, depth, limit, counts) {
  if (state.over) {
    const score = state.score ?? [];
    const key = String(score);
    counts.scores.set(key, { score, games: (counts.scores.get(key)?.games ?? 0) + 1 });
    counts.games += 1;
    return;
  }
  for (const [text, after] of minideals$followers(state)) {
    counts.plies[depth] = (counts.plies[depth] ?? 0) + 1;
    if (counts.plies[depth] > limit) throw notCounted(`more than ${limit} games`);
    const before = counts.games;
    walk(after, depth + 1, limit, counts);
    if (depth === 0) counts.divide[text] = counts.games - before;
  }
}

function notCounted(why) {
  const error = new Error(why);
  error.name = "NotCounted";
  return error;
}

function verdictOf(verdict) {
  if (verdict instanceof verdicts$Legal) return { verdict: "legal", clauses: [] };
  const word = verdict instanceof verdicts$Refused ? "refused" : "irregular";
  return { verdict: word, clauses: [...verdict.clauses] };
}

// The first moment of a game: of a match from the cut, or of what `start` says. An
// error that is named "Refused" if the rules forbid the ruleset or the start.
export const open = (ruleset, start = {}) => {
  const rules = rulesetOf(ruleset);
  return new Game(state$State.open(rules, startOf(start)));
};

// What this is: its version, the editions of the book in it, and for the protocol of
// docs/adapters.md the edition it speaks for and its capabilities.
export const about = $about;
