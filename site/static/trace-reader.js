// Reads traces, compact logs and mini-deals and lays them out step by step.
// It knows no rules: cards move as the file says, and what the file leaves out stays unknown.
"use strict";
window.RefengineReader = (() => {
  const forms = window.RefengineForms;
  const { Unreadable, fail, isObject, cards, cardList } = forms;
  const STATED = ["phase", "turn", "dealer", "deal", "hearts_broken", "drew", "out", "tricks",
    "points", "revokes", "score", "totals", "match", "over", "cut"];
  const MIB = 1024 * 1024;
  // A browser that is given more becomes slow before it becomes full.
  const LARGEST_FILE = 64 * MIB;
  const LONGEST_LINE = 8 * MIB;
  const MOST_LINES = 100000;
  const MOST_STEPS = 20000;
  const DEEPEST = 16; // as the format says

  /**
   * The lines of a stream of bytes that hold something, each with its number.
   * Stops with Unreadable as soon as there is too much of anything.
   */
  async function lines(stream) {
    const found = [];
    const source = stream.getReader();
    const decoder = new TextDecoder();
    let size = 0;
    let number = 1;
    let rest = "";
    const keep = (text) => {
      if (text.length > LONGEST_LINE) {
        fail(`line ${number} is longer than ${LONGEST_LINE / MIB} MiB, which is more than the viewer shows.`);
      }
      if (!text.trim()) return;
      if (found.length === MOST_LINES) {
        fail(`it holds more than ${MOST_LINES.toLocaleString("en")} games; take those that you want out of it.`);
      }
      found.push({ text, number });
    };
    try {
      for (;;) {
        const { done, value } = await source.read();
        if (done) break;
        size += value.byteLength;
        if (size > LARGEST_FILE) {
          fail(`it is larger than ${LARGEST_FILE / MIB} MiB; take the lines that you want out of it.`);
        }
        const text = rest + decoder.decode(value, { stream: true });
        let from = 0;
        for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
          keep(text.slice(from, end));
          from = end + 1;
          number += 1;
          // Millions of empty lines are soon counted, and cost seconds if they are cut out.
          for (; text.charCodeAt(from) === 10; from += 1) number += 1;
        }
        rest = text.slice(from);
        if (rest.length > LONGEST_LINE) keep(rest);
      }
    } finally {
      source.cancel().catch(() => {});
    }
    keep(rest + decoder.decode());
    if (found.length) found[0].text = found[0].text.replace(/^\uFEFF/, "");
    return found.filter((line) => line.text.trim());
  }

  /** Whether brackets outside texts are nested deeper than the format allows. */
  function isTooDeep(text) {
    let depth = 0;
    let quoted = false;
    for (let at = 0; at < text.length; at += 1) {
      const letter = text.charCodeAt(at);
      if (quoted) {
        if (letter === 92) at += 1;
        else if (letter === 34) quoted = false;
      } else if (letter === 34) quoted = true;
      else if (letter === 91 || letter === 123) {
        depth += 1;
        if (depth > DEEPEST) return true;
      } else if (letter === 93 || letter === 125) depth -= 1;
    }
    return false;
  }

  /** The game that a line holds. Throws Unreadable with one sentence. */
  function read(text) {
    let data;
    if (isTooDeep(text)) fail(`it is nested more than ${DEEPEST} levels deep.`);
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
    forms.rest(data, seats);
    const game = { kind, data, ruleset, seats, steps: [], start: opening(data, seats) };
    if (kind === "trace") game.steps = traceSteps(data.steps, seats);
    if (kind === "log") game.steps = logSteps(data, game);
    if (game.steps.length > MOST_STEPS) {
      fail(`it has ${game.steps.length.toLocaleString("en")} steps; the viewer shows games of up to ${MOST_STEPS.toLocaleString("en")}.`);
    }
    if ("end" in data) forms.said(data.end, seats, "the end");
    game.names = data["x-names"] || [];
    game.frames = frames(game);
    game.deals = deals(game);
    return game;
  }

  function traceSteps(steps, seats) {
    if (!Array.isArray(steps)) fail('a trace needs its "steps" as a list.');
    if (steps.length <= MOST_STEPS) steps.forEach((step, at) => forms.step(step, seats, `step ${at + 1}`));
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
    if (data.setup) forms.setup(data.setup, seats);
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
    if ("leader" in setup) frame.hearts_broken ??= false;
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

  /**
   * The steps by deal and trick: for each deal its number and its parts, for each part its name
   * and the places of its steps. A trick begins with the lead to an empty table.
   */
  function deals(game) {
    const found = [];
    let part = null;
    let tricks = 0;
    const begin = (name) => {
      part = { name, steps: [] };
      found[found.length - 1].parts.push(part);
    };
    game.steps.forEach((step, at) => {
      const before = game.frames[at];
      if (!found.length || "deal" in step.act) {
        const number = "deal" in step.act ? game.frames[at + 1].deal ?? before.deal : before.deal;
        found.push({ number: Number.isInteger(number) ? number : null, parts: [] });
        tricks = 0;
        part = null;
      }
      const leads = "play" in step.act && (before.done || !before.table.length);
      if (leads) {
        tricks += 1;
        begin(`Trick ${tricks}`);
      } else if (!part || ("play" in step.act && part.name === "Before play")) {
        begin("play" in step.act ? "The trick as found" : "Before play");
      }
      part.steps.push(at);
    });
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
      if (!frame.hearts_broken) frame.hearts_broken = null; // this card may have broken them
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
      if ("retract" in act) frame.hearts_broken = null;
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
