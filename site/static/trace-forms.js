// What the fields of a trace, a compact log or a mini-deal have to look like before the viewer
// shows them. It knows no rules: a file may say what no rule allows, but not a number for a card.
"use strict";
window.RefengineForms = (() => {
  const CARD = /^[2-9TJQKA][CDSH]$/;
  const ACTS = ["cut", "deal", "pass", "forward", "mix", "draw", "play", "retract", "quit",
    "claim", "moon"];

  class Unreadable extends Error {}
  const fail = (words) => { throw new Unreadable(words); };
  const isObject = (value) =>
    value !== null && typeof value === "object" && !Array.isArray(value);
  const cut = (text) => (text.length > 20 ? `${text.slice(0, 20)}…` : text);

  /** The cards of a set or a sequence; `where` names it in the error. */
  function cards(text, where) {
    if (typeof text !== "string") fail(`${where} is not a list of cards such as "QS 2H".`);
    const found = text.split(" ").filter(Boolean);
    for (const card of found) {
      if (!CARD.test(card)) fail(`${where} has "${cut(card)}", which is no card.`);
    }
    return found;
  }

  function cardList(list, seats, where) {
    if (!Array.isArray(list) || list.length !== seats) {
      fail(`${where} does not have one entry for each of the ${seats} seats.`);
    }
    return list.map((text) => cards(text, where));
  }

  // A form takes a value, the number of seats and the words for its place.

  const isSeat = (value, seats) => Number.isInteger(value) && value >= 0 && value < seats;
  const whole = (value, seats, where) =>
    Number.isInteger(value) || fail(`${where} is not a whole number.`);
  const flag = (value, seats, where) =>
    typeof value === "boolean" || fail(`${where} is neither true nor false.`);
  const word = (value, seats, where) =>
    typeof value === "string" || fail(`${where} is not a text.`);
  const seat = (value, seats, where) =>
    isSeat(value, seats) || fail(`${where} is no seat of this table (0 to ${seats - 1}).`);
  const set = (value, seats, where) => cards(value, where);
  const sets = (value, seats, where) => cardList(value, seats, where);
  const list = (form) => (value, seats, where) => {
    if (!Array.isArray(value)) fail(`${where} is not a list.`);
    value.forEach((one) => form(one, seats, where));
  };
  const numbers = (value, seats, where) => {
    if (!Array.isArray(value) || value.length !== seats || !value.every(Number.isInteger)) {
      fail(`${where} does not have one whole number for each of the ${seats} seats.`);
    }
  };
  const object = (fields) => (value, seats, where) => {
    if (!isObject(value)) fail(`${where} is not an object.`);
    for (const [name, form] of Object.entries(fields)) {
      if (name in value) form(value[name], seats, `${where}, ${name},`);
    }
  };
  const either = (test, one, other) => (value, seats, where) =>
    (test(value) ? one : other)(value, seats, where);
  const isText = (value) => typeof value === "string";

  const cutCards = (value, seats, where) => {
    cardList(value, seats, where).forEach((found) => {
      if (found.length > 1) fail(`${where} has two cards for one seat.`);
    });
  };
  const oneCard = (value, seats, where) => {
    if (cards(value, where).length !== 1) fail(`${where} has no card.`);
  };
  const packet = either(isText, set, (value, seats, where) => {
    if (!isObject(value)) fail(`${where} is neither a set of cards nor a card for each seat.`);
    for (const [to, card] of Object.entries(value)) {
      seat(Number(to), seats, where);
      oneCard(card, seats, where);
    }
  });
  const dealt = (value, seats, where) => {
    if (!isObject(value) || !("hands" in value)) fail(`${where} has no hands.`);
    object({ hands: sets, stock: set, kitty: set })(value, seats, where);
  };
  const claim = (value, seats, where) => {
    if (!isObject(value)) fail(`${where} is not an object.`);
    seat(value.seat, seats, where);
    whole(value.trick, seats, where);
  };
  const moon = either(isText, word, (value, seats, where) => {
    if (!isObject(value)) fail(`${where} says nothing that the viewer can read.`);
    seat(value.one, seats, where);
  });
  const anything = () => {};

  const ACT = { cut: oneCard, deal: dealt, pass: packet, forward: anything, mix: dealt,
    draw: anything, play: oneCard, retract: oneCard, quit: anything, claim, moon };

  /** The one key of an act that is no remark. Throws Unreadable where there is none. */
  function kindOfAct(act, where) {
    if (!isObject(act)) fail(`${where} has no act.`);
    const keys = Object.keys(act).filter((key) => !key.startsWith("x-"));
    if (keys.length !== 1 || !ACTS.includes(keys[0])) {
      fail(`${where} has no act that the book knows: one of ${ACTS.join(", ")}.`);
    }
    return keys[0];
  }

  // An act that is only asked about may be one that no table knows: a deal with a hand too
  // many, a claim against a seat that is not there.
  const ASKED = { ...ACT,
    deal: object({ hands: list(set), stock: set, kitty: set }),
    mix: object({ hands: list(set), kitty: set }),
    pass: either(isText, set, (value, seats, where) => {
      if (!isObject(value)) fail(`${where} is neither a set of cards nor a card for each seat.`);
      Object.values(value).forEach((one) => cards(one, where));
    }),
    claim: object({ seat: whole, trick: whole }),
    moon: either(isText, word, object({ one: whole })) };

  function anAct(act, seats, where, forms = ACT) {
    const kind = kindOfAct(act, where);
    forms[kind](act[kind], seats, where);
  }

  /** What `then`, `end` and a setup say, whichever of it is there. */
  const STATED = {
    phase: word, turn: list(seat), dealer: seat, deal: whole, hearts_broken: flag, drew: set,
    out: list(seat), tricks: numbers, points: numbers, score: numbers, totals: numbers,
    hands: sets, taken: sets, stock: set, kitty: set, over: flag, cut: cutCards,
    revokes: list(object({ seat, trick: whole, state: word })),
    match: object({ over: flag, winners: list(seat) }),
    trick: object({ leader: seat, cards: set, winner: seat }),
    table: object({ leader: seat, cards: set }),
  };
  const SETUP = { dealer: seat, deal: whole, totals: numbers, hands: sets, stock: set,
    kitty: set, phase: word, leader: seat, trick: set, out: list(seat), taken: sets,
    tricks: numbers, hearts_broken: flag, first_trick: flag, limit_reached: flag };

  const clauses = list(word);
  const probe = (value, seats, where) => {
    if (!isObject(value)) fail(`${where} has an entry that is not an object.`);
    anAct(value.act, seats, where, ASKED);
    object({ clauses, seat: whole })(value, seats, where);
  };
  const legal = either(isText, set, object({ play: set, moon: list(moon) }));
  const STEP = { legal, breaks: clauses, refuse: list(probe), irregular: list(probe) };

  function fields(forms, value, seats, where) {
    for (const [name, form] of Object.entries(forms)) {
      if (name in value) form(value[name], seats, `${where ? `${where}: ` : ""}${name}`);
    }
  }

  function step(value, seats, where) {
    if (!isObject(value)) fail(`${where} has no act.`);
    const kind = kindOfAct(value.act, where);
    if (!isSeat(value.seat, seats)) fail(`${where} has no seat of this table (0 to ${seats - 1}).`);
    if (kind === "play" && !CARD.test(value.act.play)) fail(`${where} has no card.`);
    anAct(value.act, seats, where);
    fields(STEP, value, seats, where);
    if ("then" in value) said(value.then, seats, where);
  }

  function said(value, seats, where) {
    if (!isObject(value)) fail(`${where}: what it states is not an object.`);
    fields(STATED, value, seats, where);
  }

  const setup = (value, seats) => fields(SETUP, value, seats, "setup");

  /** What a log and a mini-deal have beside the setup. */
  function rest(data, seats) {
    if ("name" in data) word(data.name, seats, "name");
    if ("id" in data) word(data.id, seats, "id");
    if ("options" in data.ruleset && !isObject(data.ruleset.options)) {
      fail("the options of the ruleset are not an object.");
    }
    if ("log" in data) {
      fields({ plays: set, pass: list(packet), score: numbers, totals: numbers }, data, seats, "");
    }
    if ("mini" in data) {
      fields({ games: whole, divide: object({}),
        scores: list(object({ score: numbers, games: whole })) }, data, seats, "");
    }
    if ("x-names" in data) list(word)(data["x-names"], seats, "x-names");
  }

  return { Unreadable, fail, isObject, isSeat, cards, cardList, step, said, setup, rest };
})();
