// Reads traces, compact logs and mini-deals and lays them out step by step.
// It knows no rules: cards move as the file says, and what the file leaves out stays unknown.
"use strict";
window.RefengineReader = (() => {
  const CARD = /^[2-9TJQKA][CDSH]$/;
  const ACTS = ["cut", "deal", "pass", "forward", "mix", "draw", "play", "retract", "quit",
    "claim", "moon"];
  const STATED = ["phase", "turn", "dealer", "deal", "hearts_broken", "drew", "out", "tricks",
    "points", "revokes", "score", "totals", "match", "over", "cut"];

  class Unreadable extends Error {}
  const fail = (words) => { throw new Unreadable(words); };
  const isObject = (value) =>
    value !== null && typeof value === "object" && !Array.isArray(value);

  /** The cards of a set or a sequence; `where` names it in the error. */
  function cards(text, where) {
    if (typeof text !== "string") fail(`${where} is not a list of cards such as "QS 2H".`);
    const found = text.split(" ").filter(Boolean);
    for (const card of found) {
      if (!CARD.test(card)) fail(`${where} has "${card.slice(0, 20)}", which is no card.`);
    }
    return found;
  }

  function cardList(list, seats, where) {
    if (!Array.isArray(list) || list.length !== seats) {
      fail(`${where} does not have one entry for each of the ${seats} seats.`);
    }
    return list.map((text) => cards(text, where));
  }

  /** The lines of a file that hold something, each with its number. */
  function lines(text) {
    return text.replace(/^\uFEFF/, "").split("\n")
      .map((line, at) => ({ text: line, number: at + 1 }))
      .filter((line) => line.text.trim());
  }

  /** The game that a line holds. Throws Unreadable with one sentence. */
  function read(text) {
    let data;
    try {
      data = JSON.parse(text);
    } catch {
      fail("this is not JSON. A trace file has one JSON object on each line.");
    }
    return check(data);
  }

  /** The game in a line that has been parsed. Throws Unreadable with one sentence. */
  function check(data) {
    const kind = isObject(data) && ["trace", "log", "mini"].find((key) => key in data);
    if (!kind) {
      fail('this is JSON, but no trace, log or mini-deal: it has no key "trace", "log" or "mini".');
    }
    if (data[kind] !== 1) fail(`"${kind}" is not 1: the viewer reads version 1 of the format.`);
    const ruleset = data.ruleset;
    if (!isObject(ruleset) || typeof ruleset.profile !== "string") {
      fail("the ruleset has no profile.");
    }
    const seats = ruleset.players;
    if (!Number.isInteger(seats) || seats < 2 || seats > 13) {
      fail("the ruleset does not say how many players there are (2 to 13).");
    }
    if (isObject(data.setup) === isObject(data.match)) {
      fail('it has to begin with either a "setup" or a "match".');
    }
    const game = { kind, data, ruleset, seats, steps: [], start: opening(data, seats) };
    if (kind === "trace") game.steps = traceSteps(data.steps, seats);
    if (kind === "log") game.steps = logSteps(data, game);
    try {
      game.frames = frames(game);
    } catch (error) {
      if (error instanceof Unreadable) throw error;
      fail("a step does not have the form that the format describes.");
    }
    return game;
  }

  function traceSteps(steps, seats) {
    if (!Array.isArray(steps)) fail('a trace needs its "steps" as a list.');
    steps.forEach((step, at) => {
      const where = `step ${at + 1}`;
      if (!isObject(step) || !isObject(step.act)) fail(`${where} has no act.`);
      const keys = Object.keys(step.act).filter((key) => !key.startsWith("x-"));
      if (keys.length !== 1 || !ACTS.includes(keys[0])) {
        fail(`${where} has no act that the book knows: one of ${ACTS.join(", ")}.`);
      }
      if (!Number.isInteger(step.seat) || step.seat < 0 || step.seat >= seats) {
        fail(`${where} has no seat of this table (0 to ${seats - 1}).`);
      }
      for (const key of ["play", "retract", "cut"]) {
        if (key in step.act && !CARD.test(step.act[key])) fail(`${where} has no card.`);
      }
    });
    return steps;
  }

  /** The steps of a log: its passes, then its cards, with a seat where one can be read off. */
  function logSteps(data, game) {
    const passes = Array.isArray(data.pass) ? data.pass : [];
    const steps = passes.map((pass, seat) => ({ seat, act: { pass } }));
    const seatsOf = Array.isArray(data.seats) ? data.seats : [];
    const holds = (game.start.hands || []).map((hand) => new Set(hand));
    cards(data.plays, "plays").forEach((card, at) => {
      const holder = passes.length ? -1 : holds.findIndex((hand) => hand.has(card));
      const stated = Number.isInteger(seatsOf[at]) ? seatsOf[at] : holder;
      steps.push({ seat: stated < 0 || stated >= game.seats ? null : stated, act: { play: card } });
    });
    const end = {};
    for (const key of ["score", "totals"]) if (Array.isArray(data[key])) end[key] = data[key];
    if (steps.length) steps[steps.length - 1].then = end;
    return steps;
  }

  function opening(data, seats) {
    const frame = {
      hands: null, sure: true, table: [], leader: null, winner: null, done: false,
      stock: null, kitty: null, taken: null, seatOf: {}, tricks: null, points: null,
      totals: null, phase: null, turn: null, dealer: null, deal: null, revokes: [],
    };
    const setup = data.setup;
    if (!setup) return frame;
    frame.hands = cardList(setup.hands, seats, "setup.hands");
    frame.stock = cards(setup.stock || "", "setup.stock");
    frame.kitty = cards(setup.kitty || "", "setup.kitty");
    frame.table = cards(setup.trick || "", "setup.trick").map((card) => ({ card, seat: null }));
    frame.taken = setup.taken ? cardList(setup.taken, seats, "setup.taken") : null;
    for (const key of ["dealer", "deal", "totals", "tricks", "hearts_broken", "phase", "leader"]) {
      if (key in setup) frame[key] = setup[key];
    }
    return frame;
  }

  /** The moments of a game: entry k is the moment before step k + 1, the last one the end. */
  function frames(game) {
    const found = [game.start];
    for (const step of game.steps) found.push(after(found[found.length - 1], step, game.seats));
    const end = game.data.end;
    if (isObject(end)) {
      const last = found[found.length - 1];
      found[found.length - 1] = stated(last, end, game.seats);
    }
    return found;
  }

  function after(before, step, seats) {
    const frame = {
      ...before, turn: null, score: null, drew: null, phase: null, over: null, match: null,
      hands: before.hands && before.hands.map((hand) => [...hand]),
      stock: before.stock && [...before.stock],
      table: [...before.table], seatOf: { ...before.seatOf },
    };
    move(frame, step);
    return isObject(step.then) ? stated(frame, step.then, seats) : frame;
  }

  /** Cards are moved as the act says; where they come to lie by a rule is not known here. */
  function move(frame, { seat, act }) {
    const hand = frame.hands && seat !== null ? frame.hands[seat] : null;
    const takeOut = (card) => { if (hand?.includes(card)) hand.splice(hand.indexOf(card), 1); };
    if ("play" in act) {
      takeOut(act.play);
      const again = frame.table.some((one) => one.seat === seat && seat !== null);
      if (frame.done || again) Object.assign(frame, { table: [], leader: null });
      frame.done = false;
      frame.winner = null;
      frame.table = [...frame.table, { card: act.play, seat }];
      frame.seatOf[act.play] = seat;
    } else if ("draw" in act) {
      if (frame.stock?.length) hand?.push(frame.stock.shift());
    } else if ("deal" in act) {
      frame.hands = act.deal.hands.map((text) => cards(text, "a deal"));
      frame.stock = cards(act.deal.stock || "", "a deal");
      frame.kitty = cards(act.deal.kitty || "", "a deal");
      Object.assign(frame, { table: [], done: false, winner: null, sure: true, seatOf: {},
        taken: null, tricks: null, points: null, revokes: [], hearts_broken: false });
    } else if ("pass" in act) {
      const passed = isObject(act.pass) ? Object.values(act.pass).join(" ") : act.pass;
      cards(passed, "a pass").forEach(takeOut);
      frame.sure = false;
    } else if ("retract" in act || "mix" in act || "claim" in act || "forward" in act) {
      if ("retract" in act) frame.table = frame.table.filter((one) => one.card !== act.retract);
      if ("retract" in act) hand?.push(act.retract);
      frame.sure = false;
    }
  }

  /** The moment with what the file says of it; that always prevails. */
  function stated(frame, said, seats) {
    const found = { ...frame };
    for (const key of STATED) if (key in said) found[key] = said[key];
    if ("hands" in said) {
      found.hands = cardList(said.hands, seats, "hands");
      found.sure = true;
    }
    if ("taken" in said) found.taken = cardList(said.taken, seats, "taken");
    if ("stock" in said) found.stock = cards(said.stock, "stock");
    if ("kitty" in said) found.kitty = cards(said.kitty, "kitty");
    const placed = (text) => cards(text, "a trick")
      .map((card) => ({ card, seat: found.seatOf[card] ?? null }));
    if (isObject(said.trick)) {
      Object.assign(found, { table: placed(said.trick.cards), leader: said.trick.leader,
        winner: said.trick.winner, done: true });
    } else if (isObject(said.table) && (said.table.cards || !found.done)) {
      Object.assign(found, { table: placed(said.table.cards), leader: said.table.leader,
        winner: null, done: false });
    }
    return found;
  }

  /** What the step says of every card in the hand of the seat that acts. */
  function judged(step, hand) {
    const legal = typeof step.legal === "string" ? cards(step.legal, "legal") : step.legal?.play
      ? cards(step.legal.play, "legal") : null;
    const clauses = {};
    for (const name of ["refuse", "irregular"]) {
      for (const probe of step[name] || []) {
        const card = probe?.act?.play;
        if (card && (probe.seat ?? step.seat) === step.seat) {
          clauses[card] = { name, clauses: probe.clauses || [] };
        }
      }
    }
    if (step.breaks?.length && step.act.play) {
      clauses[step.act.play] = { name: "irregular", clauses: step.breaks };
    }
    return (hand || []).map((card) => {
      const said = clauses[card];
      if (said) return { card, mark: said.name, clauses: said.clauses };
      if (!legal) return { card, mark: "", clauses: [] };
      return { card, mark: legal.includes(card) ? "lit" : "dim", clauses: [] };
    });
  }

  return { Unreadable, lines, read, check, judged, cards, isObject };
})();
