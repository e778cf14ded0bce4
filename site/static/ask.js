// The question of the address, put to the rules, and the ruling shown.
// It knows no rule: what it shows is what refengine.answer says. How an address holds a
// question is in question.js; the form is in ask-form.js, loaded once there is a ruling.
"use strict";
window.ask = (() => {
  const { copy, el, read, rulesHere, shown, told, write } = window.question;
  const { headings } = refengine;
  const site = document.title;
  const chapters = JSON.parse(document.body.dataset.chapters);

  const address = (clause) => `${chapters[clause.split(".")[0]]}.html#${clause}`;
  const link = (clause, words = clause) =>
    el("a", { className: "clause-link", href: address(clause) }, words);

  function said(one) {
    const clauses = (one.clauses || []).flatMap((clause) => [" ", link(clause)]);
    return el("li", {}, ...told(one.text), ...clauses);
  }

  function part(title, ...inside) {
    return el("section", { className: "part" }, el("h2", {}, title), ...inside);
  }
  const list = (sentences) => el("ul", { className: "said" }, ...sentences.map(said));

  // A card as a picture; its face comes with the faces, later than the ruling.
  function picture(card, style = "") {
    return el("span", { className: `card ${style}`, "data-card": card, role: "img",
      "aria-label": shown(card) }, el("span", { className: "plain-face" }, ...told(card)));
  }
  function paint(root = document) {
    for (const game of (window.REFENGINE_ASKING || { games: [] }).games) {
      for (const cell of document.querySelectorAll("#ruling th[scope=row]")) {
        if (cell.textContent === game.name) {
          cell.replaceChildren(el("a", { href: `profile-${game.name}.html` }, game.said));
        }
      }
    }
    const faces = window.REFENGINE_FACES;
    if (!faces) return;
    const [width, height] = window.REFENGINE_FACE_SIZE;
    for (const one of root.querySelectorAll(".card[data-card]:not(.painted)")) {
      const [shapes, words] = faces[one.dataset.card];
      one.innerHTML = `<svg viewBox="0 0 ${width} ${height}" aria-hidden="true" focusable="false">${shapes}</svg>`;
      one.setAttribute("aria-label", words);
      one.classList.add("painted");
    }
  }

  // The ruling

  const headline = document.getElementById("headline");
  const ruling = document.getElementById("ruling");

  function situation(answer, question) {
    const cards = (text) => (text || "").split(" ").filter(Boolean);
    const legal = new Map((answer.cards || []).map((one) => [one.card, one.verdict]));
    const fan = (title, held, judged) => held.length ? el("div", { className: "there" },
      el("span", { className: "label" }, title),
      el("span", { className: `fan ${held.length < 5 ? "few" : ""}` }, ...held.map((card) =>
        picture(card, [judged && legal.size && (legal.get(card) === "legal" ? "rf-lit" : "rf-dim"),
          card === question.card && "asked-card"].filter(Boolean).join(" "))))) : undefined;
    const shownCards = [
      fan(headings.table, cards(question.trick)),
      fan(`In the hand${answer.seat === undefined ? "" : ` of seat ${answer.seat}`}`, cards(question.hand), true),
    ].filter(Boolean);
    return shownCards.length ? el("div", { className: "moment" }, ...shownCards) : undefined;
  }

  const cellOf = (value) => told(String(value).replace(/^-(?=\d)/, "\u2212"));
  const headOf = (text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${text.endsWith("?") ? "" : ":"}`;
  function figures(answer) {
    const heads = answer.columns || [];
    const rows = answer.rows.map((row) => el("tr", {}, ...row.map((cell, at) =>
      el(at ? "td" : "th", at ? { "data-head": headOf(heads[at] || "") } : { scope: "row" }, ...cellOf(cell)))));
    // Sentences side by side do not fit on a phone: there each stands below its head.
    const long = answer.rows.some((row) => row.some((cell) => String(cell).length > 24));
    return el("div", { className: `table-wrapper ${long ? "stack" : ""}`, tabIndex: 0, role: "region",
      "aria-label": "Figures" }, el("table", {}, heads.length ? el("thead", {}, el("tr", {},
      ...heads.map((one) => el("th", { scope: "col" }, one)))) : undefined, el("tbody", {}, ...rows)));
  }

  const WORDS = { legal: "yes", refused: "no", irregular: "a revoke" };
  function byCard(answer) {
    const rows = answer.cards.map((one) => el("li", {}, picture(one.card),
      el("b", { className: one.verdict }, WORDS[one.verdict]),
      el("span", {}, ...one.why.flatMap((why) => [...told(why.text),
        ...why.clauses.flatMap((clause) => [" ", link(clause)]), " "]))));
    return el("ul", { className: "by-card" }, ...rows);
  }

  function cite(one) {
    const copy = el("button", { type: "button", className: "copy" }, "Copy");
    copy.dataset.copy = one.citation;
    return el("li", {}, link(one.clause, `${one.clause} ${one.title}`), " ",
      el("span", { className: "citation" }, el("code", { className: "cite" }, one.citation), copy));
  }

  // The clauses that decide first, the others on demand.
  function citations(answer) {
    const why = (answer.why || []).flatMap((one) => one.clauses);
    const near = [...new Set(answer.clauses && answer.clauses.length ? answer.clauses : why)].slice(0, 4);
    const first = near.map((number) => answer.cited.find((one) => one.clause === number)).filter(Boolean);
    const others = answer.cited.filter((one) => !first.includes(one));
    const list = (some) => el("ul", { className: "citations" }, ...some.map(cite));
    return part("To cite", list(first), others.length && first.length ? el("details", {},
      el("summary", {}, others.length === 1 ? "One more clause" : `${others.length} more clauses`), list(others))
      : list(others));
  }

  // What must still be known, with its answers as buttons; the form takes them.
  function asks(one) {
    const buttons = Object.entries(one.answers).map(([value, words]) => {
      const button = el("button", { type: "button", className: "quiet" }, words);
      Object.assign(button.dataset, { asks: one.name, value });
      return button;
    });
    return part(one.text, el("p", { className: "asks" }, ...buttons));
  }

  function send() {
    const copy = el("button", { type: "button", className: "copy", id: "copy-link" }, "Copy the link");
    copy.dataset.copy = "link";
    const share = navigator.share && el("button", { type: "button", className: "copy", id: "share" }, "Send it");
    return el("p", { className: "send" }, copy, share || undefined, " ",
      el("span", { className: "soft" }, "It holds the whole question."));
  }

  function show(answer, question) {
    headline.className = `headline ${answer.verdict || "told"}`;
    document.title = `${answer.headline} - ${site}`;
    headline.replaceChildren(el("a", { href: "#ruling", className: "to-ruling" },
      ...told(answer.headline)));
    const hand = answer.cards && answer.cards.length ? byCard(answer) : undefined;
    const table = answer.rows && answer.rows.length ? figures(answer) : undefined;
    const why = answer.why && answer.why.length ? part(headings.why, list(answer.why)) : undefined;
    // As long as a quarrel may end in several ways, what is asked comes first.
    const open = question.ask === "table" && table;
    ruling.replaceChildren(...[
      situation(answer, question),
      ...(answer.asks || []).map(asks),
      send(),
      ...(open ? [el("details", {}, el("summary", {}, "All that may follow"), table)]
        : table && table.classList.contains("stack") ? [why, table] : [table, why]),
      answer.cited && answer.cited.length ? citations(answer) : undefined,
      answer.follows && answer.follows.length ? part(headings.follows, list(answer.follows)) : undefined,
      answer.mattered && answer.mattered.length ? part(headings.mattered, list(answer.mattered)) : undefined,
      hand && part(headings.hand, hand),
      answer.granted && answer.granted.length ? part(headings.granted,
        el("ul", { className: "said" }, ...answer.granted.map((one) => el("li", {}, ...told(`${one[0].toUpperCase()}${one.slice(1)}.`))))) : undefined,
    ].filter(Boolean));
    paint(ruling);
    const mine = ruling.firstChild;
    requestAnimationFrame(() => mine === ruling.firstChild && plays(question.rules));
  }

  // What is played, in the words of the rules, under the cards.
  function plays(rules) {
    if (!rules) return;
    const { title, players, options } = refengine.describe(rules);
    const changed = options.filter((one) => one.option in (rules.options || {}))
      .map((one) => `${one.name}: ${one.said || one.value}`);
    const said = [title, `${players} players`, ...changed].join("; ");
    ruling.prepend(el("p", { className: "plays soft" }, `We play: ${said}.`));
  }

  function hint(words, wrong = false) {
    document.title = site;
    headline.className = `headline ${wrong ? "wrong" : "hint"}`;
    headline.replaceChildren(...told(words));
    ruling.replaceChildren();
  }

  // Whether there was an answer to show; what is wrong with the question is shown too.
  function put(question) {
    try {
      show(refengine.answer(question), question);
      return true;
    } catch (error) {
      if (error.name !== "Malformed") throw error;
      hint(error.message, true);
      return false;
    }
  }

  const asked = read(location.hash.slice(1));
  // An address that names no rules asks about those of this table, and names them from then
  // on: to whomever it is sent, it asks the same. A quarrel needs no rules.
  let refused = false; // whether the book of today refuses what was remembered here
  if (!asked.rules && asked.ask !== "table") {
    ({ rules: asked.rules, refused = false } = rulesHere(document.body.dataset.game));
  }
  if (asked.ask && put(asked)) {
    performance.mark("ask-answered");
    history.replaceState(null, "", `#${write(asked)}`);
    const main = document.getElementById("main");
    main.dataset.first = "ruling";
    main.querySelector("h1").after(headline, ruling);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.copy");
    if (!button) return;
    if (button.id === "share") {
      navigator.share({ title: document.title, url: location.href }).catch(() => {});
      return;
    }
    copy(button, button.dataset.copy === "link" ? location.href : button.dataset.copy);
  });

  // The address holds the question: a way within the page leaves it as it is.
  document.addEventListener("click", (event) => {
    const way = event.target.closest(".to-ruling, .skip");
    if (!way) return;
    event.preventDefault();
    const there = way.matches(".skip") ? document.getElementById("ask") : ruling;
    there.tabIndex = -1;
    there.focus({ preventScroll: true });
    there.scrollIntoView();
  });

  // What can be chosen, the faces and the form come when the ruling is there.
  const here = document.currentScript.src;
  const load = (name) => {
    const script = el("script", { src: here.replace(/ask\.js/, name) });
    script.async = false;
    document.body.append(script);
  };
  requestAnimationFrame(() => setTimeout(() => ["asking.js", "faces.js", "ask-form.js"].forEach(load)));

  return { picture, paint, put, hint, asked, refused };
})();
