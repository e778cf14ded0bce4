// The form of the page: cards by touch or typed, what is played, what is asked.
// It knows no rule: what can be chosen stands in asking.js, what follows from it is
// asked of the rules by ask.js.
"use strict";
(() => {
  const { picture, paint, put, hint } = window.ask;
  const { el, read, remember, rulesHere, shown, typed, write } = window.question;
  const { games, rules, quarrels } = window.REFENGINE_ASKING;
  const DECK = Object.keys(window.REFENGINE_FACES);
  const words = (card) => window.REFENGINE_FACES[card][1];
  const form = document.getElementById("ask");
  const main = document.getElementById("main");
  const find = (selector) => form.querySelector(selector);
  const gameNamed = (name) => games.find((one) => one.name === name);

  const state = fresh();
  function fresh() {
    return { kind: "card", piles: {}, active: "", card: "", passed: new Set(), fields: {}, quarrel: "", answers: {}, named: false };
  }
  const table = { game: document.body.dataset.game, players: 0, changed: {} };

  // What we play

  function keep() {
    find("#refused").hidden = true;
    const rules = played();
    try {
      refengine.describe(rules);
    } catch (error) {
      if (error.name !== "Malformed") throw error;
      return; // what was remembered before stays
    }
    remember(rules);
  }
  function play(name, players, changed) {
    const game = gameNamed(name) || gameNamed(document.body.dataset.game);
    table.game = game.name;
    table.players = game.players.includes(players) ? players : game.usual;
    table.changed = {};
    for (const rule of rules) {
      const value = (changed || {})[rule.name];
      if (value !== undefined && String(value) !== game.values[rule.name]) {
        table.changed[rule.name] = String(value);
      }
    }
  }
  const valueOf = (rule) => table.changed[rule.name] ?? gameNamed(table.game).values[rule.name];

  function drawGame() {
    const game = gameNamed(table.game);
    fill(find("#game"), games.map((one) => [one.name, one.said]), game.name);
    fill(find("#players"), game.players.map((count) => [String(count), String(count)]), table.players);
    const said = rules.filter((one) => one.name in table.changed)
      .map((one) => `${one.said}: ${saidValue(one, table.changed[one.name])}`);
    for (const one of form.querySelectorAll("[data-tells]")) {
      const about = one.dataset.tells.split(" ").map((name) => rules.find((rule) => rule.name === name));
      one.replaceChildren(...about.flatMap((rule, at) => [at ? "; " : "", `${rule.said}: `,
        el("b", {}, saidValue(rule, valueOf(rule)))]), ".");
    }
    find("#rules-said").textContent = said.length ? said.join("; ") : "as that game has them";
  }
  // The list stays the same object where its entries do: it may be open just now.
  function fill(select, entries, now) {
    const values = entries.map(([value]) => value).join();
    if (select.dataset.holds !== values) {
      select.replaceChildren(...entries.map(([value, said]) => el("option", { value }, said)));
      select.dataset.holds = values;
    }
    select.value = now;
  }
  function saidValue(rule, value) {
    const found = rule.values.find(([one]) => one === value);
    return found ? found[1] : value;
  }

  function drawRules() {
    const game = gameNamed(table.game);
    const about = (find(`[name=ask][value=${state.kind}]`).dataset.chapters || "").split(" ");
    const counts = (one) => game.counts.includes(one.name) || one.name in table.changed;
    const near = rules.filter((one) => counts(one) && one.chapters.some((at) => about.includes(at)));
    const far = rules.filter((one) => counts(one) && !near.includes(one));
    const idle = rules.filter((one) => !counts(one));
    const group = (title, some) => some.length ? el("details", { className: "rule-group" },
      el("summary", {}, title), ...some.map(ruleField)) : undefined;
    find(".rule-fields").replaceChildren(...[
      ...near.map(ruleField),
      group(near.length ? "All other house rules" : "All house rules", far),
      group("Without effect in this game", idle),
    ].filter(Boolean));
    return near.length;
  }
  function ruleField(rule) {
    const now = valueOf(rule);
    const isWord = rule.values.some(([value]) => value === now);
    const select = rule.values.length ? el("select", { "data-rule": rule.name },
      ...rule.values.map(([value, said]) => el("option", { value, selected: value === now }, said)),
      rule.least === null ? undefined : el("option", { value: "#", selected: !isWord }, "a number"),
      rule.list && !isWord ? el("option", { value: now, selected: true }, now) : undefined) : undefined;
    const number = rule.least === null ? undefined : el("input", { type: "number", min: rule.least,
      max: rule.most, value: isWord ? "" : now, hidden: isWord && rule.values.length > 0,
      inputMode: rule.least < 0 ? "text" : "numeric", "data-rule": rule.name,
      "aria-label": `${rule.said}, a number` });
    const changed = rule.name in table.changed;
    return el("label", { className: `field rule ${changed ? "changed" : ""}` },
      el("span", {}, rule.said, " ", el("small", {}, rule.name)), select, number);
  }
  function changeRule(name, value) {
    if (value === gameNamed(table.game).values[name]) delete table.changed[name];
    else table.changed[name] = value;
  }

  // Cards

  function pilesOf(kind) {
    if (kind === "score") {
      return Array.from({ length: table.players }, (_, seat) => [`taken${seat}`, `Seat ${seat} took`]);
    }
    return { card: [["hand", "My hand"], ["trick", "On the table"]],
      draw: [["hand", "My hand"], ["trick", "On the table"]],
      pass: [["hand", "My hand"]],
      turn: [["trick", "On the table"]] }[kind] || [];
  }
  const cardsIn = (key) => state.piles[key] || (state.piles[key] = []);

  function drawPiles() {
    const piles = pilesOf(state.kind);
    if (!piles.some(([key]) => key === state.active)) state.active = piles.length ? piles[0][0] : "";
    find(".piles").replaceChildren(...piles.map(([key, title]) => {
      const pile = el("div", { className: "pile" },
        el("button", { type: "button", className: "pile-name", "data-pile": key }, title),
        el("input", { type: "text", "data-pile": key, "aria-label": `${title}, typed`,
          placeholder: "tap, or type 10h Qs", autocapitalize: "off", spellcheck: "false" }),
        el("span", { className: "fan" }));
      return pile;
    }));
    drawCards();
  }
  function drawCards(typing = false) {
    for (const pile of form.querySelectorAll(".pile")) {
      const input = pile.querySelector("input");
      const key = input.dataset.pile;
      const cards = cardsIn(key);
      pile.classList.toggle("active", key === state.active);
      pile.querySelector("button").setAttribute("aria-pressed", String(key === state.active));
      const kept = key === state.active ? typing : input.hasAttribute("aria-invalid");
      if (!kept) {
        input.value = cards.map(shown).join(" ");
        input.removeAttribute("aria-invalid");
      }
      const fan = pile.querySelector(".fan");
      fan.classList.toggle("few", cards.length < 5);
      const asks = key === "hand" && (state.kind === "card" || state.kind === "pass");
      fan.replaceChildren(...cards.map((card) => {
        if (!asks) return picture(card);
        const on = state.kind === "card" ? state.card === card : state.passed.has(card);
        const verb = state.kind === "card" ? "Ask about" : "Pass";
        return el("button", { type: "button", className: "pick", "data-ask": card,
          "aria-pressed": String(on), "aria-label": `${verb} ${words(card)}` }, picture(card));
      }));
      if (asks && cards.length) {
        fan.append(el("span", { className: "soft under" }, state.kind === "card"
          ? "Tap a card to ask about it alone." : "Tap the cards that you would pass."));
      }
    }
    for (const button of form.querySelectorAll(".picker button")) {
      const { card } = button.dataset;
      const mine = cardsIn(state.active).includes(card);
      const other = pilesOf(state.kind).some(([key]) => key !== state.active && cardsIn(key).includes(card));
      button.setAttribute("aria-pressed", String(mine));
      button.classList.toggle("elsewhere", other);
    }
    paint(form);
  }
  function drawPicker() {
    const rows = [...new Set(DECK.map((card) => card[1]))].map((suit) =>
      el("div", { className: `suit rf-${suit.toLowerCase()}`, role: "group" },
        ...DECK.filter((card) => card[1] === suit).map((card) => el("button", { type: "button",
          "data-card": card, tabIndex: card === DECK[0] ? 0 : -1 },
          el("span", { "aria-hidden": "true" }, shown(card)), el("span", { className: "sr-only" }, words(card))))));
    find(".picker").replaceChildren(...rows);
  }
  function toggle(card) {
    const cards = cardsIn(state.active);
    if (cards.includes(card)) {
      cards.splice(cards.indexOf(card), 1);
    } else {
      for (const [key] of pilesOf(state.kind)) {
        state.piles[key] = cardsIn(key).filter((one) => one !== card);
      }
      cardsIn(state.active).push(card);
      if (state.active !== "trick") cardsIn(state.active).sort((a, b) => DECK.indexOf(a) - DECK.indexOf(b));
    }
    forget();
    drawCards();
  }
  // What is asked about has to be in the hand, and other cards may be no moon.
  function forget() {
    delete state.fields.choice;
    const hand = cardsIn("hand");
    if (!hand.includes(state.card)) state.card = "";
    state.passed = new Set([...state.passed].filter((card) => hand.includes(card)));
  }
  // The cards that are typed, as the book writes them; undefined where they cannot be read.
  function cardsTyped(input) {
    try {
      const cards = refengine.cards(input.value);
      input.removeAttribute("aria-invalid");
      return cards;
    } catch (error) {
      if (error.name !== "Malformed") throw error;
      input.setAttribute("aria-invalid", "true");
      return undefined;
    }
  }
  function type(input) {
    const cards = cardsTyped(input);
    if (cards === undefined) return;
    state.piles[input.dataset.pile] = cards.split(" ").filter(Boolean);
    forget();
    drawCards(true);
  }
  function walk(button, key) {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -13, ArrowDown: 13 }[key];
    if (!step) return false;
    const next = find(`.picker [data-card="${DECK[DECK.indexOf(button.dataset.card) + step]}"]`);
    if (next) {
      button.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    }
    return true;
  }

  // The other fields

  const seats = () => Array.from({ length: table.players }, (_, seat) => seat);
  // The seats that a smaller table does not have.
  function leaveOutTheGone() {
    const { fields } = state;
    for (const key of ["out", "revokes"]) {
      if (fields[key]) fields[key] = fields[key].filter((seat) => seat < table.players);
    }
    for (const key of ["leader", "dealer", "seat"]) if (fields[key] >= table.players) delete fields[key];
  }
  function numbers(key, title, note = "") {
    return el("fieldset", { className: "numbers" }, el("legend", {}, title, " ", el("span", { className: "soft" }, note)),
      ...seats().map((seat) => el("label", {}, `Seat ${seat}`, el("input", { type: "number", inputMode: "text",
        "data-list": key, "data-seat": seat, value: (state.fields[key] || [])[seat] ?? "" }))));
  }
  function ticks(key, title) {
    return el("fieldset", { className: "ticks" }, el("legend", {}, title),
      ...seats().map((seat) => el("label", { className: "tick" }, el("input", { type: "checkbox", "data-set": key,
        "data-seat": seat, checked: (state.fields[key] || []).includes(seat) }), ` Seat ${seat}`)));
  }
  function field(key, title, more) {
    return el("label", { className: "field narrow" }, title,
      el("input", { "data-key": key, value: state.fields[key] ?? "", type: "number", inputMode: "numeric", ...more }));
  }
  function seatField(key, title, none) {
    const now = state.fields[key];
    return el("label", { className: "field narrow" }, title, el("select", { "data-key": key },
      none ? el("option", { value: "" }, none) : undefined,
      ...seats().map((seat) => el("option", { value: seat, selected: now === seat }, `Seat ${seat}`))));
  }
  function drawFields() {
    const kind = state.kind;
    for (const one of form.querySelectorAll("[data-for]")) {
      one.hidden = !one.dataset.for.split(" ").includes(kind);
    }
    for (const one of form.querySelectorAll(":scope > [data-for] [data-key]")) {
      const now = state.fields[one.dataset.key];
      if (one.type === "checkbox") one.checked = Boolean(now);
      else if (one.type === "radio") one.checked = one.value === now;
      else one.value = now ?? one.defaultValue;
    }
    find(".totals").replaceChildren(...(kind === "end" ? [numbers("totals", "The totals after this deal")]
      : []));
    find(".more-fields").replaceChildren(...({
      card: () => [field("stock", "Cards left in the stock", { min: 0, max: 52 }), seatField("leader", "Who led, or leads", "not said"),
        field("drew", "Cards drawn in this turn", { type: "text", placeholder: "4c 9d", inputMode: "text" })],
      score: () => [numbers("totals", "The totals before the deal"), numbers("tricks", "Tricks won", "where that counts"),
        ticks("revokes", "Whose revoke was claimed and proved")],
      end: () => [el("label", { className: "tick" }, el("input", { type: "checkbox", "data-key": "reached",
        checked: Boolean(state.fields.reached) }), " The limit was reached in an earlier deal"),
        field("deals", "Deals played so far", { min: 1 })],
      turn: () => [seatField("dealer", "Who dealt", "not said"), ticks("out", "Who had no cards left")],
      revoke: () => [seatField("seat", "Whose card was it?", "not said")],
    }[kind === "draw" ? "card" : kind] || (() => []))());
    for (const one of form.querySelectorAll(".game, .rules")) one.hidden = kind === "table";
    find(".more").hidden = !find(".more-fields").children.length;
    const leads = find(".leads");
    leads.hidden = kind !== "turn";
    leads.replaceChildren(...(kind === "turn" ? [seatField("leader", "Who led, or leads", "nobody yet: the deal begins")] : []));
  }

  // Quarrels

  function drawQuarrels() {
    const found = quarrels.find((one) => one.number === state.quarrel);
    const looked = (state.fields.look || "").toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (one) => looked.every((word) =>
      [one.question, one.title, ...one.words].join(" ").toLowerCase().includes(word));
    const box = find(".quarrels");
    if (found) {
      box.replaceChildren(el("p", { className: "quarrel" }, el("b", {}, found.question), " ",
        el("button", { type: "button", className: "quiet small", id: "other-quarrel" }, "Another one")),
        ...found.ask.map(([name, text, answers]) => el("fieldset", { className: "choices" }, el("legend", {}, text),
          ...answers.map(([value, said]) => el("label", {}, el("input", { type: "radio", name: `if-${name}`,
            "data-answer": name, value, checked: state.answers[name] === value }), " ", el("span", {}, said))))));
      return;
    }
    const list = el("ul", { className: "quarrel-list" }, ...quarrels.filter(fits).map((one) =>
      el("li", {}, el("button", { type: "button", "data-quarrel": one.number }, one.question))));
    const old = box.querySelector(".quarrel-list");
    const look = box.querySelector("#look");
    if (old && look) {
      if (look !== document.activeElement) look.value = state.fields.look || "";
      old.replaceWith(list);
      return;
    }
    box.replaceChildren(el("label", { className: "field" }, "Look for", el("input", { type: "search", id: "look",
      placeholder: "misdeal, exposed card, out of turn", value: state.fields.look || "" })), list);
  }

  // The question

  // A field that is left empty is no 0: a list counts once it has a number for each seat.
  const filled = (list) => seats().filter((seat) => Number.isFinite((list || [])[seat]));
  const isWhole = (list) => filled(list).length === table.players;
  const isBegun = (list) => filled(list).length > 0 && !isWhole(list);
  const ofSeats = (list) => list.slice(0, table.players);

  function played() {
    const changed = Object.entries(table.changed).map(([name, value]) =>
      [name, rules.find((one) => one.name === name).list ? value.split(",").filter(Boolean) : typed(value)]);
    const rule = { profile: table.game, players: table.players };
    if (changed.length) rule.options = Object.fromEntries(changed);
    return rule;
  }
  function question() {
    const { kind, fields } = state;
    if (kind === "table") {
      const rules = state.named ? { rules: played() } : {};
      return { ask: kind, ...rules, number: state.quarrel || undefined, answers: state.answers };
    }
    const found = { ask: kind, rules: played() };
    const cards = (key) => cardsIn(key).join(" ") || undefined;
    const take = (...keys) => {
      for (const key of keys) if (fields[key] !== undefined && fields[key] !== "") found[key] = fields[key];
    };
    if (kind === "card" || kind === "draw") {
      Object.assign(found, { hand: cards("hand"), trick: cards("trick") });
      take("first_trick", "hearts_broken", "stock", "leader", "seat", "drew");
      if (kind === "card" && state.card) found.card = state.card;
      if (kind === "card" && !state.card) found.ask = "hand";
    } else if (kind === "pass") {
      found.deal = fields.deal ?? 1;
      if (cards("hand")) found.hand = cards("hand");
      if (state.passed.size) found.cards = cardsIn("hand").filter((card) => state.passed.has(card)).join(" ");
    } else if (kind === "score") {
      found.taken = seats().map((seat) => cardsIn(`taken${seat}`).join(" "));
      if (isWhole(fields.totals)) found.totals = ofSeats(fields.totals);
      if (isWhole(fields.tricks)) found.tricks = ofSeats(fields.tricks);
      if ((fields.revokes || []).length) found.revokes = fields.revokes;
      take("choice", "reached", "deal");
    } else if (kind === "end") {
      if (isWhole(fields.totals)) found.totals = ofSeats(fields.totals);
      take("reached", "deals");
    } else if (kind === "revoke") {
      take("when", "seat");
    } else if (kind === "turn") {
      take("leader", "dealer");
      if (cards("trick")) found.trick = cards("trick");
      if ((fields.out || []).length) found.out = fields.out;
    } else if (kind === "opening") {
      delete found.rules.players;
      if (fields.people !== undefined) found.players = fields.people;
      else found.rules.players = table.players;
      const hands = (fields.hands || []).filter(Number.isFinite);
      if (hands.length === (fields.people ?? table.players)) found.hands = hands;
    }
    for (const key of Object.keys(found)) if (found[key] === undefined) delete found[key];
    return found;
  }
  // What is still missing, in words; empty where the question is whole.
  function missing(asked) {
    const { ask } = asked;
    if ((ask === "hand" || ask === "draw") && !asked.hand) return "Pick the cards of your hand, and what lies on the table.";
    if (ask === "score" && !asked.taken.some(Boolean)) return "Pick the cards that each seat has taken. Only those that count are needed.";
    if (ask === "score" && isBegun(state.fields.totals)) return "Type the total of each seat, or of none.";
    if (ask === "score" && isBegun(state.fields.tricks)) return "Type the tricks of each seat, or of none.";
    if (ask === "end" && !asked.totals) return "Type the total of each seat.";
    if (ask === "revoke" && !asked.when) return "Say when it is noticed.";
    if (ask === "turn" && (asked.trick || asked.out) && asked.leader === undefined) return "Say who led, or leads.";
    if (ask === "table" && !asked.number) return "Choose what went wrong.";
    return "";
  }
  function update() {
    const asked = question();
    const lacks = missing(asked);
    if (lacks) hint(lacks);
    else put(asked);
    history.replaceState(null, "", `#${write(asked)}`);
    main.removeAttribute("aria-busy");
  }
  let waiting = 0;
  function changed(wait = 0) {
    afterTheForm();
    main.setAttribute("aria-busy", "true");
    clearTimeout(waiting);
    waiting = setTimeout(update, wait);
  }
  // Somebody who came for a ruling reads it first; somebody who asks looks at the form.
  function afterTheForm() {
    if (main.dataset.first !== "ruling") return;
    delete main.dataset.first;
    const focused = document.activeElement;
    main.append(document.getElementById("headline"), document.getElementById("ruling"));
    if (focused && focused !== document.body) focused.scrollIntoView({ block: "nearest" });
  }

  // The whole form from a question

  function restore(asked, wereRefused = false) {
    Object.assign(state, fresh());
    const { rules: rule, refused = wereRefused } = asked.rules ? asked : rulesHere(document.body.dataset.game);
    play(rule.profile, rule.players, rule.options);
    find("#refused").hidden = !refused;
    state.kind = asked.ask === "hand" ? "card" : asked.ask || "card";
    if (!find(`[name=ask][value=${CSS.escape(state.kind)}]`)) state.kind = "card";
    const split = (text) => (text || "").split(" ").filter((card) => DECK.includes(card));
    state.piles = { hand: split(asked.hand), trick: split(asked.trick) };
    (asked.taken || []).forEach((cards, seat) => { state.piles[`taken${seat}`] = split(cards); });
    state.card = asked.card || "";
    state.passed = new Set(split(asked.cards));
    for (const key of ["first_trick", "hearts_broken", "stock", "leader", "dealer", "drew", "deal", "when", "seat", "choice",
      "reached", "deals", "totals", "tricks", "out", "revokes", "hands"]) {
      if (asked[key] !== undefined) state.fields[key] = asked[key];
    }
    if (state.kind === "opening") state.fields.people = asked.players || rule.players;
    state.named = Boolean(asked.rules) && asked.ask === "table";
    state.quarrel = asked.number || "";
    state.answers = asked.answers || {};
    find(`[name=ask][value=${state.kind}]`).checked = true;
    drawAll();
  }
  function drawAll() {
    drawGame();
    find(".rules").open = drawRules() < 6 && !["card", "table"].includes(state.kind);
    drawFields();
    drawPiles();
    drawQuarrels();
  }

  function input(target) {
    const { key, list, set, answer, pile } = target.dataset;
    if (pile) type(target);
    else if (key) {
      if (target.type === "checkbox") state.fields[key] = target.checked;
      else if (target.type === "number" || target.tagName === "SELECT") {
        state.fields[key] = target.value === "" ? undefined : Number(target.value);
        if (key === "leader") delete state.fields.seat; // it followed from another leader
      } else if (key === "drew") state.fields.drew = cardsTyped(target) ?? state.fields.drew;
      else state.fields[key] = target.value;
    } else if (list) {
      const now = [...(state.fields[list] || [])];
      now[target.dataset.seat] = target.value === "" ? undefined : Number(target.value);
      state.fields[list] = now;
    } else if (set) {
      const seat = Number(target.dataset.seat);
      const others = (state.fields[set] || []).filter((one) => one !== seat);
      state.fields[set] = target.checked ? [...others, seat].sort((a, b) => a - b) : others;
      delete state.fields.choice; // who revoked shoots no moon
    } else if (answer) state.answers[answer] = target.value;
    else if (target.id === "look") {
      state.fields.look = target.value;
      drawQuarrels();
      return;
    }
    changed(target.type === "text" || target.type === "number" ? 150 : 0);
  }
  function choose(target) {
    const { rule } = target.dataset;
    if (rule === "profile") play(target.value, 0, {});
    else if (rule === "players") table.players = Number(target.value);
    else {
      const number = target.tagName === "SELECT" && target.parentNode.querySelector("input");
      if (number) number.hidden = target.value !== "#";
      if (target.value === "#") {
        number.focus();
        if (number.value === "") return;
      }
      if (target.value === "" && target.tagName === "INPUT") return;
      changeRule(rule, target.value === "#" ? number.value : target.value);
      drawGame();
    }
    delete state.fields.choice; // whether a moon is settled may be another matter now
    if (rule === "profile" || rule === "players") {
      delete state.fields.hands; // no field shows them, and another game deals others
      leaveOutTheGone();
      drawGame();
      drawRules();
      drawFields();
      drawPiles();
    }
    keep();
    changed();
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    const { kind } = state;
    Object.assign(state, fresh(), { kind });
    drawAll();
    changed();
  });
  const answered = ({ target }) => {
    if (target.dataset.rule) choose(target);
    else if (target.name === "ask") {
      state.kind = target.value;
      state.active = "";
      // No field of another question shows these: they would decide unseen.
      for (const key of ["seat", "reached", "deal", "totals", "choice", "hands"]) delete state.fields[key];
      drawAll();
      changed();
    } else input(target);
  };
  form.addEventListener("input", (event) => event.target.tagName === "SELECT" || answered(event));
  form.addEventListener("change", (event) => event.target.tagName === "SELECT" && answered(event));
  form.addEventListener("focusin", ({ target }) => {
    if (target.dataset.pile && target.dataset.pile !== state.active) {
      state.active = target.dataset.pile;
      drawCards(true);
    }
  });
  form.addEventListener("focusout", ({ target }) => {
    if (target.tagName !== "INPUT" || !target.dataset.pile || target.hasAttribute("aria-invalid")) return;
    target.value = cardsIn(target.dataset.pile).map(shown).join(" ");
  });
  form.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    const { pile, card, ask, quarrel } = button.dataset;
    if (pile) {
      state.active = pile;
      drawCards(true);
    } else if (ask) {
      if (state.kind === "card") state.card = state.card === ask ? "" : ask;
      else if (!state.passed.delete(ask)) state.passed.add(ask);
      drawCards();
      const again = find(`[data-ask="${ask}"]`);
      if (again) again.focus();
      changed();
    } else if (card) {
      toggle(card);
      changed();
    } else if (quarrel || button.id === "other-quarrel") {
      state.quarrel = quarrel || "";
      state.answers = {};
      drawQuarrels();
      const first = find(".quarrels input, .quarrels button");
      if (first) first.focus();
      changed();
    }
  });
  form.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest(".picker") && walk(event.target, event.key)) event.preventDefault();
  });
  document.getElementById("ruling").addEventListener("click", ({ target }) => {
    const { asks, value } = target.dataset;
    if (!asks) return;
    if (state.kind === "table") state.answers[asks] = value;
    else state.fields[asks] = typed(value);
    drawQuarrels();
    update();
    const box = document.getElementById("ruling"); // the button is gone, and its focus
    box.tabIndex = -1;
    (box.querySelector("[data-asks]") || box).focus({ preventScroll: true });
  });
  addEventListener("hashchange", () => {
    restore(read(location.hash.slice(1)));
    update();
  });

  drawPicker();
  restore(window.ask.asked, window.ask.refused);
  paint();
  const lacks = missing(question());
  if (!window.ask.asked.ask || (lacks && !document.getElementById("ruling").childElementCount)) hint(lacks);
  document.documentElement.dataset.ready = "yes";
})();
