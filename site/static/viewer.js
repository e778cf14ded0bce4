// The trace viewer: shows what a file says, step by step, and computes no rules.
"use strict";
(() => {
  const root = document.getElementById("viewer");
  if (!root) return;
  const reader = window.RefengineReader;
  const [WIDTH, HEIGHT] = window.REFENGINE_FACE_SIZE;
  const CLAUSES = new Map(window.REFENGINE_CLAUSES.map((row) => [row[0], row]));
  const GAMES = window.REFENGINE_GAMES;
  const GROUPS = { examples: "examples", disputes: "arguments", corpus: "corpus" };
  const LISTED = 60;
  const CHOOSABLE = 300;
  const DUE = { cut: "cards are cut for the deal", deal: "the deal", pass: "passing",
    mix: "the mix", draw: "a card is to be drawn", play: "play", moon: "the moon is settled",
    over: "over" };

  /** What is open: the lines of a file or one bundled game, and where in it we are. */
  const open = { name: "", lines: [], at: 0, id: null, game: null, step: 1, names: [] };
  const kept = { line: null, game: null };
  let places = new Map(); // for each step, the deal in which it is listed
  let wanted = null; // what was asked for last, while it is on its way: a script or a file

  // Small things

  function h(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === false || value === null || value === undefined) continue;
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat().filter((child) => child !== null && child !== ""));
    return element;
  }

  const many = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
  const nameOf = (card) => window.REFENGINE_FACES[card][1];
  const inWords = (cards) => cards.length ? cards.map(nameOf).join(", ") : "no cards";
  const SUITS = { C: "♣", D: "♦", S: "♠", H: "♥" };
  const short = (card) => card[0].replace("T", "10") + SUITS[card[1]];
  const seatName = (seat) => Number.isInteger(seat) ? open.names[seat] || `seat ${seat}` : "somebody";
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

  function face(card) {
    const holder = document.createElement("span");
    // The shapes come from the site's own faces.js, never from the file that is shown.
    holder.innerHTML = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true"
      focusable="false">${window.REFENGINE_FACES[card][0]}</svg>`;
    return holder.firstElementChild;
  }

  function icon(path) {
    const holder = document.createElement("span");
    holder.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d="${path}"/></svg>`;
    return holder.firstElementChild;
  }

  function clauseLink(number) {
    const row = CLAUSES.get(number);
    const text = row ? `${number} ${row[1]}` : number;
    return row ? h("a", { href: row[2] }, text) : h("span", {}, text);
  }

  // The page around the game

  const parts = {};

  function build() {
    parts.file = h("input", { type: "file", class: "sr-only", id: "v-file",
      accept: ".jsonl,.json,.gz,.txt", onchange: () => openFile(parts.file.files[0]) });
    parts.error = h("p", { class: "v-error", role: "alert", hidden: true });
    parts.library = library();
    parts.title = h("h2", { tabindex: "-1", id: "v-title" });
    parts.rules = h("p", { class: "v-rules" });
    parts.notice = h("div", { class: "v-notice", hidden: true });
    parts.chooser = h("div", { class: "v-chooser", hidden: true });
    parts.caption = h("p", { class: "v-caption" });
    parts.live = h("p", { class: "sr-only", role: "status", "aria-live": "polite" });
    parts.place = h("output", { class: "v-place", for: "v-range" });
    parts.range = h("input", { type: "range", min: "1", id: "v-range", "aria-label": "Step",
      oninput: () => go(Number(parts.range.value)) });
    const button = (label, content, to) => h("button", { type: "button", "aria-label": label,
      title: label, onclick: () => go(to()) }, content);
    parts.first = button("First step", icon("M2 2h2v12H2zM14 2v12L5 8z"), () => 1);
    parts.back = button("Step back", [icon("M12 2v12L3 8z"), " Back"], () => open.step - 1);
    parts.next = button("Next step", ["Next ", icon("M4 2v12l9-6z")], () => open.step + 1);
    parts.last = button("The end", icon("M12 2h2v12h-2zM2 2v12l9-6z"), () => Infinity);
    parts.board = h("div", { class: "v-board", role: "group", "aria-label": "The table" });
    parts.why = h("section", { class: "v-why", "aria-label": "Why not" });
    parts.moves = h("div", { class: "v-moves" });
    parts.names = h("input", { type: "text", autocomplete: "off", maxlength: "200",
      placeholder: "Anna, Ben, …", oninput: () => { takeNames(parts.names.value); redraw(); } });
    parts.ask = h("a", { class: "button quiet v-ask", hidden: true }, "Ask for a ruling on this step");
    parts.link = h("button", { type: "button", onclick: copyLink }, "Copy link to this step");
    parts.tip = h("div", { class: "v-tip", role: "tooltip", id: "v-tip", hidden: true });
    parts.game = h("div", { class: "v-game", hidden: true },
      parts.title, parts.rules, parts.chooser, parts.notice,
      parts.columns = h("div", { class: "v-columns" },
        h("div", { class: "v-main" },
          parts.caption, parts.live,
          parts.controls = h("div", { class: "v-controls", role: "group", "aria-label": "Steps" },
            parts.first, parts.back, parts.next, parts.last, parts.range, parts.place),
          parts.board, parts.why),
        h("nav", { class: "v-side", "aria-label": "All steps" },
          h("h3", {}, "All steps"), parts.moves,
          h("label", { class: "v-names" }, h("span", {}, "Names, from seat 0 on"), parts.names),
          parts.ask, parts.link)),
      h("p", { class: "soft v-keys" }, "Keys: ", h("kbd", {}, "←"), " ", h("kbd", {}, "→"),
        " one step, ", h("kbd", {}, "Home"), " ", h("kbd", {}, "End"),
        " the beginning and the end. Cards that are dimmed say why: point at them, or go to them with ",
        h("kbd", {}, "Tab"), "."),
      parts.tip);
    root.append(
      parts.intro = h("p", { class: "v-intro" }, "Step through a game card by card. Open a trace file, drop it ",
        "anywhere on this page, or take one of the bundled games. Nothing leaves your machine."),
      h("div", { class: "v-open" },
        h("label", { class: "file-label", for: "v-file" }, "Open a trace file"), parts.file,
        h("button", { type: "button", onclick: () => load(GAMES[0][0], 1) }, "Show an example")),
      parts.error, parts.library.element, parts.game);
    root.dataset.ready = "yes";
  }

  // The bundled games

  function library() {
    const profiles = [...new Set(GAMES.map((game) => game[3]))].sort();
    const field = (label, control) => h("label", {}, h("span", {}, label), control);
    const options = (first, rest) => [h("option", { value: "" }, first),
      ...rest.map((one) => h("option", { value: one[0] }, one[1]))];
    const profile = h("select", { onchange: list },
      options("any profile", profiles.map((name) => [name, name])));
    const clause = h("select", { onchange: list }, options("any clause",
      [...CLAUSES.values()].map((row) => [row[0], `${row[0]} ${row[1]}`])));
    const group = h("select", { onchange: list },
      options("all", Object.entries(GROUPS)));
    const results = h("ul", {});
    const count = h("p", { class: "soft", role: "status" });
    const element = h("details", { class: "v-library" },
      h("summary", {}, `Bundled games (${GAMES.length})`),
      h("div", { class: "v-filters" }, field("From", group), field("Profile", profile),
        field("Clause", clause)), count, results);
    function list() {
      const found = GAMES.filter((game) => (!profile.value || game[3] === profile.value) &&
        (!clause.value || game[6].includes(clause.value)) &&
        (!group.value || game[2] === group.value));
      count.textContent = found.length > LISTED
        ? `${found.length} games; the first ${LISTED} are shown.` : many(found.length, "game");
      results.replaceChildren(...found.slice(0, LISTED).map((game) => h("li", {},
        h("a", { href: `#trace=${game[0]}&step=1` }, game[1]),
        h("span", { class: "soft" }, ` ${game[3]}, ${many(game[4], "seat")}, `
          + (game[5] ? many(game[5], "step") : "counted")))));
    }
    list();
    return {
      element,
      show(values) {
        profile.value = values.profile || "";
        clause.value = values.clause || "";
        group.value = "";
        list();
        element.open = true;
        element.scrollIntoView({ block: "nearest" });
      },
    };
  }

  function load(id, step) {
    wanted = null;
    if (open.id === id && open.game) { parts.error.hidden = true; go(step); return; }
    if (!GAMES.some((game) => game[0] === id)) {
      complain(`There is no bundled game "${id.slice(0, 40)}".`);
      return;
    }
    const script = h("script", { src: `_static/games/${id}.js`, onerror: () => {
      if (wanted?.script !== script) return;
      wanted = null;
      complain(`The file of the game ${id} is missing.`);
    } });
    wanted = { script, id, step };
    document.head.append(script);
  }

  window.refengineGame = (data) => {
    // Another game, or a file, may have been asked for since this script was.
    if (!wanted || wanted.script !== document.currentScript) return;
    const { id, step } = wanted;
    wanted = null;
    Object.assign(open, { id, name: id, lines: [{ data, number: 1 }], at: 0 });
    parts.library.element.open = false;
    show(step);
  };

  // Files

  async function openFile(file) {
    if (!file) return;
    const mine = wanted = { file };
    // The address of now: it may be that of another game, and a step taken meanwhile changes it.
    const { trace, ...there } = asked();
    const place = trace || (open.game && !open.id && open.name !== file.name) ? {} : there;
    let lines = [];
    let fault = "is empty.";
    try {
      lines = await reader.lines(file.name.endsWith(".gz")
        ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream());
    } catch (error) {
      fault = `cannot be ${error instanceof reader.Unreadable ? `shown: ${error.message}` : "read."}`;
    }
    parts.file.value = ""; // so that the same file can be opened again
    if (wanted !== mine) return;
    wanted = null;
    if (!lines.length) { complain(`${file.name} ${fault}`); return; }
    const at = place.game >= 1 && place.game <= lines.length ? place.game - 1 : 0;
    Object.assign(open, { id: null, name: file.name, lines, at });
    parts.library.element.open = false;
    if (show(place.step || 1)) parts.title.focus({ preventScroll: true });
  }

  /** The game in a line. The latest is kept: the games of a large file would fill the memory. */
  function readLine(line) {
    if (kept.line !== line) {
      Object.assign(kept, { line: null, game: null });
      kept.game = line.data ? reader.check(line.data) : reader.read(line.text);
      kept.line = line;
    }
    return kept.game;
  }

  function complain(words) {
    parts.error.textContent = words;
    parts.error.hidden = false;
  }

  function show(step) {
    const line = open.lines[open.at];
    try {
      open.game = readLine(line);
    } catch (error) {
      if (!(error instanceof reader.Unreadable)) throw error;
      open.game = null;
      parts.game.hidden = open.lines.length < 2;
      complain(`${open.name}, line ${line.number}: ${error.message}`);
      if (open.lines.length > 1) emptyGame();
      return false;
    }
    parts.error.hidden = parts.intro.hidden = true;
    parts.game.hidden = parts.columns.hidden = false;
    parts.names.value = open.game.names.join(", ");
    open.names = open.game.names.map((name) => name.slice(0, 40));
    heading();
    moves();
    go(step, true);
    return true;
  }

  /** The names in a text with commas between them; where there is none, the seat has its number. */
  function takeNames(text) {
    open.names = text.split(",").map((name) => name.trim().slice(0, 40));
  }

  function redraw() {
    moves();
    go(open.step, true);
  }

  function emptyGame() {
    parts.title.textContent = "This line cannot be shown";
    parts.rules.replaceChildren();
    parts.columns.hidden = parts.notice.hidden = true;
    chooser();
  }

  // One game

  function heading() {
    const { data, kind, ruleset } = open.game;
    const words = { trace: "A trace", log: "A compact log", mini: "A mini-deal" };
    parts.title.textContent = data.name || (data.id ? `${words[kind]}, ${data.id}` : words[kind]);
    const changed = Object.entries(ruleset.options || {})
      .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`);
    const linked = GAMES.some((game) => game[3] === ruleset.profile);
    parts.rules.replaceChildren(
      linked ? h("a", { href: `profile-${ruleset.profile}.html` }, ruleset.profile)
        : ruleset.profile,
      `, ${ruleset.players} players`, changed.length ? `, ${changed.join(", ")}` : "");
    notice();
    chooser();
  }

  function notice() {
    const { kind, steps, frames } = open.game;
    const bare = kind === "trace" && steps.length && steps.every((step) => !("legal" in step));
    const unsure = frames.some((frame) => !frame.sure);
    const dimmed = steps.some((step) => step.legal !== undefined);
    let words = "";
    if (kind === "log") {
      words = "A compact log says neither which cards were legal nor, always, whose turn it was.";
    } else if (bare) words = "This trace does not say which cards were legal.";
    else if (unsure) words = "This trace does not say where all the cards lie after some steps.";
    else if (dimmed && !steps.some((step) => step.refuse || step.irregular)
      && steps.some((step) => typeof step.legal === "string")) {
      words = "This trace says which cards were legal, but not why the others were not.";
    }
    parts.notice.hidden = !words;
    parts.notice.replaceChildren(h("p", {}, `${words} This page knows no rules; the engine can add what is missing:`),
      h("pre", { tabindex: "0" }, `refengine annotate --states ${open.id ? "FILE" : inShell(open.name)} > annotated.jsonl`));
  }

  /** A name of a file as it is typed in a shell. */
  function inShell(name) {
    return /^[\w.+-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
  }

  function chooser() {
    const count = open.lines.length;
    parts.chooser.hidden = count < 2;
    if (count < 2) return;
    const choose = (at) => {
      open.at = Math.min(Math.max(at, 0), count - 1);
      show(1);
    };
    let control;
    if (count <= CHOOSABLE) {
      control = h("select", { onchange: () => choose(Number(control.value)) },
        open.lines.map((line, at) => h("option", { value: at, selected: at === open.at },
          `${at + 1}. ${lineName(line)}`)));
    } else {
      control = h("input", { type: "number", min: 1, max: count, value: open.at + 1,
        onchange: () => choose(Math.trunc(Number(control.value)) - 1) });
    }
    parts.chooser.replaceChildren(h("label", {}, h("span", {}, `Game, of ${count} `), control));
  }

  function lineName(line) {
    try {
      line.title ??= titleOf(line);
      return line.title;
    } catch {
      return "cannot be read";
    }
  }

  function titleOf(line) {
    const { data, kind } = readLine(line);
    return (data.name || data.id || kind).slice(0, 80);
  }

  function actWords({ seat, act }, phrase = false) {
    const who = capital(seatName(seat));
    const cards = (text) => phrase ? inWords(reader.cards(text, "an act"))
      : reader.cards(text, "an act").map(short).join(" ");
    if ("play" in act) return `${who} plays ${phrase ? "the " : ""}${cards(act.play)}`;
    if ("draw" in act) return `${who} draws a card`;
    if ("cut" in act) return `${who} cuts ${phrase ? "the " : ""}${cards(act.cut)}`;
    if ("deal" in act) return `${who} deals`;
    if ("forward" in act) return `${who} passes on incoming cards unseen`;
    if ("mix" in act) return `${who} gives the mix back`;
    if ("retract" in act) return `${who} takes back ${phrase ? "the " : ""}${cards(act.retract)}`;
    if ("quit" in act) return `${who} turns the trick face down`;
    if ("claim" in act) {
      return `${who} claims that ${seatName(act.claim.seat)} revoked in trick ${act.claim.trick}`;
    }
    if ("pass" in act) {
      if (!reader.isObject(act.pass)) return `${who} passes ${cards(act.pass)}`;
      const each = Object.entries(act.pass).map(([to, card]) => `${cards(card)} to ${seatName(Number(to))}`);
      return `${who} passes ${each.join(", ")}`;
    }
    const moon = act.moon;
    if (moon === "self_minus") return `${who} takes the moon off their own score`;
    if (moon === "others_plus") return `${who} puts the moon on all others`;
    return `${who} puts the moon on ${seatName(moon.one)}`;
  }

  /** The steps by deal and trick. A deal is filled in when it is opened: a match has thousands. */
  function moves() {
    const { steps, deals, kind } = open.game;
    places = new Map();
    const single = deals.length === 1;
    const boxes = deals.map((deal, at) => {
      const list = h("div", {});
      const fill = () => { if (!list.childElementCount) list.append(...dealMoves(deal)); };
      const box = single ? list : h("details", { ontoggle: () => { if (box.open) fill(); } },
        h("summary", {}, `Deal ${deal.number ?? at + 1}`), list);
      const place = { box, fill };
      for (const part of deal.parts) for (const step of part.steps) places.set(step + 1, place);
      if (single) fill();
      return box;
    });
    if (kind !== "mini") {
      boxes.push(h("ol", { class: "v-end" }, h("li", {}, moveLink(steps.length + 1, "The end"))));
    }
    parts.moves.replaceChildren(...boxes);
  }

  const dealMoves = (deal) => deal.parts.map((part) => h("section", {},
    h("h4", {}, moveLink(part.steps[0] + 1, part.name, false)),
    h("ol", { start: part.steps[0] + 1 }, part.steps.map((at) => {
      const step = open.game.steps[at];
      return h("li", {}, moveLink(at + 1, actWords(step)),
        step.breaks?.length ? h("b", { class: "v-break" }, ` breaks ${step.breaks.join(", ")}`) : "");
    }))));

  function moveLink(step, words, marked = true) {
    return h("a", { href: address(step), "data-step": marked ? step : null,
      onclick: (event) => { event.preventDefault(); go(step); } }, words);
  }

  function markMove(step) {
    const place = places.get(step);
    if (place) {
      place.fill();
      if (place.box.tagName === "DETAILS") place.box.open = true;
    }
    parts.moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const link = parts.moves.querySelector(`[data-step="${step}"]`);
    if (!link) return;
    link.setAttribute("aria-current", "step");
    const box = parts.moves;
    const top = link.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
    if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 30) {
      box.scrollTop = top - box.clientHeight / 2;
    }
  }

  function go(step, fresh = false) {
    const { steps, frames, kind } = open.game;
    const count = steps.length + 1;
    const to = Math.min(Math.max(Number.isFinite(step) ? Math.trunc(step) : step === Infinity ? count : 1, 1), count);
    if (to === open.step && !fresh) return;
    open.step = to;
    const frame = frames[to - 1];
    const now = steps[to - 1] || null;
    hideTip();
    parts.range.max = count;
    parts.range.value = to;
    const place = now ? `step ${to} of ${count - 1}` : "the end";
    parts.range.setAttribute("aria-valuetext", place);
    parts.place.textContent = capital(place);
    parts.first.disabled = parts.back.disabled = to === 1;
    parts.next.disabled = parts.last.disabled = to === count;
    parts.range.parentNode.hidden = kind === "mini";
    caption(frame, now, place);
    board(frame, now);
    why(frame, now);
    ask(frame, now);
    markMove(to);
    if (!fresh || to > 1) bringIntoView();
    remember();
  }

  /** The seat that acts is on the screen after each step, whatever its size. */
  function bringIntoView() {
    const seat = parts.board.querySelector(".v-turn");
    if (!seat) return;
    const bar = getComputedStyle(parts.controls).position === "fixed" ? parts.controls.offsetHeight : 0;
    const below = seat.getBoundingClientRect().bottom > innerHeight - bar;
    if (below || parts.caption.getBoundingClientRect().top < 0) parts.caption.scrollIntoView();
  }

  function caption(frame, now, place) {
    const says = [];
    if (open.game.kind === "mini") {
      says.push(`All ${open.game.data.games ?? "?"} games of this deal have been counted.`);
    } else if (now) says.push(`${actWords(now, true)}${now.breaks?.length ? `, which breaks ${now.breaks.join(" and ")}` : ""}.`);
    else says.push(ending(frame));
    parts.caption.replaceChildren(...says);
    const spoken = [capital(place), ...says];
    if (frame.winner !== null && frame.done) spoken.splice(1, 0, `${seatName(frame.winner)} has taken the trick`);
    const legal = now && typeof now.legal === "string" ? reader.cards(now.legal, "legal") : null;
    if (legal) spoken.push(`May be played: ${inWords(legal)}.`);
    parts.live.textContent = spoken.join(". ").replaceAll("..", ".");
  }

  function ending(frame) {
    const said = [];
    if (Array.isArray(frame.score)) said.push(`the deal scores ${frame.score.join(", ")}`);
    if (frame.match?.over) {
      const winners = (frame.match.winners || []).map(seatName);
      said.push(`${winners.join(" and ")} ${winners.length === 1 ? "wins" : "win"}`);
    }
    return said.length ? `The end: ${said.join("; ")}.` : "The end of this trace.";
  }

  // The table

  function cardOf(card, mark, options = {}) {
    const style = { lit: "rf-lit", dim: "rf-dim", refuse: "rf-dim", irregular: "rf-dim v-irregular" }[mark] || "";
    const classes = `card ${style}${options.chosen ? " v-chosen" : ""}`;
    const words = nameOf(card) + (options.chosen ? ", chosen" : "")
      + ({ lit: ", may be played", dim: ", may not be played", refuse: ", refused",
        irregular: ", would be a revoke" }[mark] || "");
    if (!options.clauses?.length) {
      return h("span", { class: classes, role: "img", "aria-label": words }, face(card));
    }
    const said = options.clauses.map((number) => CLAUSES.has(number)
      ? `${number} ${CLAUSES.get(number)[1]}` : number).join("; ");
    const button = h("button", { type: "button", class: classes, "data-card": card,
      "aria-label": `${words}: ${said}` }, face(card));
    const tell = () => tip(button, card, mark, options.clauses);
    button.addEventListener("pointerenter", tell);
    button.addEventListener("focus", tell);
    button.addEventListener("click", tell);
    button.addEventListener("pointerleave", () => { if (document.activeElement !== button) hideTip(); });
    button.addEventListener("blur", hideTip);
    return button;
  }

  function tip(button, card, mark, clauses) {
    const verb = mark === "irregular" ? "would be a revoke" : "may not be played";
    parts.tip.replaceChildren(h("b", {}, `${short(card)} ${verb}`),
      ...clauses.map((number) => {
        const row = CLAUSES.get(number);
        return h("p", {}, h("b", {}, row ? `${number} ${row[1]}` : number),
          row ? h("br") : "", row ? row[3][0] : "");
      }));
    parts.tip.hidden = false;
    const outer = parts.game.getBoundingClientRect();
    const inner = button.getBoundingClientRect();
    const width = parts.tip.offsetWidth;
    const left = Math.min(Math.max(inner.left - outer.left - 20, 0), Math.max(outer.width - width, 0));
    parts.tip.style.left = `${left}px`;
    parts.tip.style.top = `${inner.bottom - outer.top + 8}px`;
  }

  function hideTip() { parts.tip.hidden = true; }

  function chosenCards(now) {
    if (!now) return [];
    const { act } = now;
    if (act.play) return [act.play];
    if (typeof act.pass === "string") return reader.cards(act.pass, "a pass");
    if (reader.isObject(act.pass)) return Object.values(act.pass);
    return [];
  }

  function board(frame, now) {
    const { seats } = open.game;
    const first = now?.seat ?? 0; // who acts stands first, the others as they sit
    const rows = Array.from({ length: seats }, (_, at) => seatRow(frame, now, (first + at) % seats));
    const acting = now && now.seat !== null ? [rows.shift()] : [];
    parts.board.replaceChildren(...[facts(frame), ...acting, trick(frame), ...rows,
      ...talon(frame), ...counts()].filter(Boolean));
  }

  function facts(frame) {
    const chips = [];
    if (Number.isInteger(frame.deal)) chips.push(`deal ${frame.deal}`);
    if (Number.isInteger(frame.dealer)) chips.push(`${seatName(frame.dealer)} deals`);
    if (frame.phase && frame.phase !== "play") chips.push(DUE[frame.phase] || frame.phase);
    if (frame.hearts_broken) chips.push("hearts are broken");
    for (const one of Array.isArray(frame.revokes) ? frame.revokes : []) {
      chips.push(`revoke of ${seatName(one.seat)} in trick ${one.trick}: ${one.state}`);
    }
    return h("ul", { class: "v-chips" }, chips.map((text) => h("li", {}, text)));
  }

  function trick(frame) {
    if (!frame.table.length && ["cut", "deal", "pass", "mix"].includes(frame.phase)) return "";
    const label = frame.done ? `${capital(seatName(frame.winner))} takes the trick`
      : frame.table.length ? "On the table" : "The table is empty";
    const cards = frame.table.map(({ card, seat }) => h("figure", {
      class: frame.done && seat === frame.winner ? "v-wins" : "" },
    cardOf(card, ""), h("figcaption", {}, seat === null ? "" : seatName(seat))));
    return h("div", { class: "v-trick" }, h("p", { class: "label" }, label),
      h("div", { class: "v-trick-cards" }, cards));
  }

  function seatRow(frame, now, seat) {
    const acts = now?.seat === seat;
    const hand = frame.hands?.[seat];
    const marks = acts && now.act.play ? reader.judged(now, hand)
      : (hand || []).map((card) => ({ card, mark: "", clauses: [] }));
    const chosen = acts ? chosenCards(now) : [];
    const numbers = [];
    for (const [word, list] of [["tricks", frame.tricks], ["points", frame.points],
      ["total", frame.totals]]) {
      if (Array.isArray(list)) numbers.push(`${word} ${list[seat]}`);
    }
    if (Array.isArray(frame.score)) numbers.unshift(`scores ${frame.score[seat]}`);
    if (Array.isArray(frame.out) && frame.out.includes(seat)) numbers.push("out");
    const cut = frame.phase === "cut" && Array.isArray(frame.cut) ? frame.cut[seat] : "";
    const fan = h("div", { class: "v-fan", style: `--n:${Math.max(marks.length, 1)}` },
      marks.map(({ card, mark, clauses }) => cardOf(card, mark, { clauses, chosen: chosen.includes(card) })));
    const won = frame.match?.over && (frame.match.winners || []).includes(seat);
    return h("section", { class: `v-seat${acts ? " v-turn" : ""}`, "aria-label": capital(seatName(seat)) },
      h("div", { class: "v-label" }, h("b", {}, capital(seatName(seat))),
        acts ? h("span", { class: "v-badge" }, "acts") : won ? h("span", { class: "v-badge" }, "wins") : "",
        h("small", {}, numbers.flatMap((text, at) => [at ? " · " : "", h("span", {}, text)]))),
      cut ? h("div", { class: "v-fan", style: "--n:1" }, cardOf(cut, "")) : "",
      hand ? hand.length ? fan : h("span", { class: "soft" }, "no cards")
        : cut ? "" : h("span", { class: "soft" }, open.game.data.match && !frame.hands ? "" : "not stated"));
  }

  function talon(frame) {
    const found = [];
    for (const [name, cards] of [["Stock, top first", frame.stock], ["Kitty", frame.kitty]]) {
      if (cards?.length) {
        found.push(h("div", { class: "v-talon" }, h("p", { class: "label" }, `${name} (${cards.length})`),
          h("div", { class: "v-fan v-small", style: `--n:${cards.length}` }, cards.map((card) => cardOf(card, "")))));
      }
    }
    const taken = (frame.taken || []).filter((cards) => cards.length);
    if (taken.length) {
      found.push(h("details", { class: "v-taken" }, h("summary", {}, "Cards taken"),
        h("ul", {}, frame.taken.map((cards, seat) => h("li", {}, `${capital(seatName(seat))}: `,
          h("span", { "aria-label": inWords(cards), role: "img" }, cards.map(short).join(" ") || "none"))))));
    }
    return found;
  }

  function counts() {
    const { data, kind } = open.game;
    if (kind !== "mini") return [];
    const row = (cells) => h("tr", {}, cells.map((cell) => h("td", {}, String(cell))));
    const table = (heads, rows) => h("div", { class: "table-wrapper", tabindex: "0" }, h("table", {},
      h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, rows)));
    const scores = Array.isArray(data.scores) ? data.scores : [];
    const divide = reader.isObject(data.divide) ? data.divide : {};
    return [table(["first act", "games"], Object.entries(divide).map(row)),
      table(["score", "games"], scores.map((one) => row([(one.score || []).join(", "), one.games])))];
  }

  // Why cards and acts are refused here

  function why(frame, now) {
    const groups = new Map();
    const add = (mark, clauses, words) => {
      const key = `${mark} ${clauses.join(",")}`;
      if (!groups.has(key)) groups.set(key, { mark, clauses, words: [] });
      groups.get(key).words.push(words);
    };
    for (const mark of ["refuse", "irregular"]) {
      for (const probe of now?.[mark] || []) {
        if (!reader.isObject(probe?.act)) continue;
        const seat = probe.seat ?? now.seat;
        const own = seat === now.seat && probe.act.play;
        if (own && now.breaks?.length && own === now.act.play) continue;
        add(mark, probe.clauses || [], own ? short(own) : actWords({ seat, act: probe.act }));
      }
    }
    if (now?.breaks?.length) add("broken", now.breaks, now.act.play ? short(now.act.play) : "this act");
    const heads = { refuse: "refused", irregular: "would be a revoke", broken: "is a revoke" };
    parts.why.replaceChildren(...[...groups.values()].map(({ mark, clauses, words }) =>
      h("div", { class: `v-reason ${mark}` },
        h("p", {}, h("b", {}, words.join(", ")), ` ${heads[mark]} by `,
          clauses.flatMap((number, at) => [at ? ", " : "", clauseLink(number)])),
        clauses.length === 1 && CLAUSES.has(clauses[0])
          ? h("blockquote", {}, CLAUSES.get(clauses[0])[3].join(" ")) : "")));
    parts.why.hidden = !groups.size;
  }

  // The same step put to the rules, on the page that rules

  function ask(frame, now) {
    const address = askAddress(frame, now);
    parts.ask.hidden = !address;
    if (address) parts.ask.href = address;
  }

  /** The address that asks about the act; empty where the file does not say enough for it. */
  function askAddress(frame, now) {
    const { ruleset, data, deals } = open.game;
    const { profile, players, options } = ruleset;
    const hand = now && frame.hands?.[now.seat];
    const draws = now && "draw" in now.act;
    const known = GAMES.some((game) => game[3] === profile);
    if (!known || !(draws || now?.act.play) || !hand?.length) return "";
    // A draw after a whole trick is for the next one.
    const first = ["Before play", data.setup?.trick ? "The trick as found" : "Trick 1"];
    const opens = !(draws && frame.done) && deals.some((deal) => deal.parts.some((part) =>
      first.includes(part.name) && part.steps.includes(open.step - 1)));
    const told = typeof frame.hearts_broken === "boolean" || (opens && !frame.table.length);
    if (!frame.sure || !told) return "";
    const asked = { ask: draws ? "draw" : "card", rules: { profile, players, options },
      hand: hand.join(" "), seat: now.seat, hearts_broken: frame.hearts_broken };
    if (!draws) asked.card = now.act.play;
    if (!frame.done && frame.table.length) asked.trick = frame.table.map((one) => one.card).join(" ");
    asked.first_trick = opens && (data.setup && "leader" in data.setup ? data.setup.first_trick : true);
    if (frame.stock) asked.stock = frame.stock.length;
    // After a play, `drew` is what the seat that played had drawn.
    const before = open.game.steps[open.step - 2];
    const hasDrawn = before && !("play" in before.act) && before.seat === now.seat;
    if (hasDrawn && typeof frame.drew === "string") asked.drew = frame.drew;
    return `ask.html#${window.question.write(asked)}`;
  }

  // Permanent links

  function address(step) {
    if (open.id) return `#trace=${open.id}&step=${step}`;
    return open.lines.length > 1 ? `#game=${open.at + 1}&step=${step}` : `#step=${step}`;
  }

  function remember() {
    const to = address(open.step);
    if (location.hash === to) return;
    try {
      history.replaceState(null, "", to);
    } catch {
      location.replace(to);
    }
  }

  function copyLink() {
    window.question.copy(parts.link, new URL(address(open.step), location.href).href);
  }

  function asked() {
    const found = new URLSearchParams(location.hash.slice(1));
    const number = (name) => {
      const value = Number(found.get(name));
      return Number.isInteger(value) && value > 0 ? value : 0;
    };
    return { trace: found.get("trace"), step: number("step"), game: number("game"),
      clause: found.get("clause"), profile: found.get("profile") };
  }

  function follow() {
    const { trace, step, game, clause, profile } = asked();
    if (trace) load(trace, step || 1);
    else if (clause || profile) {
      wanted = null;
      parts.library.show({ clause, profile });
    } else if (open.lines.length && !open.id) {
      if (game && game - 1 !== open.at && game <= open.lines.length) {
        open.at = game - 1;
        show(step || 1);
      } else if (step && open.game) {
        parts.error.hidden = true;
        go(step);
      }
    } else if (step) {
      complain(`This link leads to step ${step} of a file: open that file, and the viewer goes there.`);
    }
  }

  // Keys, dropping, beginning

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hideTip();
    if (!open.game || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea, pre, .table-wrapper, .sidebar-drawer")) return;
    const to = { ArrowLeft: open.step - 1, ArrowRight: open.step + 1, Home: 1,
      End: Infinity }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    root.classList.add("v-over");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) root.classList.remove("v-over");
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    root.classList.remove("v-over");
    openFile(event.dataTransfer.files[0]);
  });
  window.addEventListener("hashchange", follow);
  build();
  follow();
})();
