// Two games side by side on the page of profiles: only what differs. The address holds
// which two, as in profiles.html#compare=one&with=other.
"use strict";
(() => {
  const { games, none, ring, rules } = window.REFENGINE_PROFILES;
  const form = document.getElementById("compare");
  const place = document.getElementById("compared");
  const count = document.querySelector(".compare-count");
  const [one, other] = form.elements;
  const page = document.title;

  function el(name, fields, ...inside) {
    const made = Object.assign(document.createElement(name), fields);
    made.append(...inside);
    return made;
  }
  const row = (...cells) => el("tr", {}, ...cells);
  const head = (text) => el("th", { scope: "col" }, text);

  function ruleName(name, said) {
    if (!name) return [said];
    return [el("a", { className: "option", href: `options.html#${name}` }, said), " ",
      el("code", { className: "typed" }, name)];
  }
  function valueCell([value, ruled]) {
    if (value === null) return el("td", { innerHTML: none });
    const cell = el("td", {}, value);
    if (ruled) cell.insertAdjacentHTML("beforeend", ring);
    return cell;
  }
  const clause = ([number, href, title]) => el("a", { className: "clause-link", href, title }, number);
  const spaced = (found) => found.flatMap((each, at) => (at ? [" ", each] : [each]));

  function table(found, ...names) {
    return el("div", { className: "table-wrapper beside" }, el("table", {},
      el("caption", { className: "sr-only" }, `${games[names[0]]} and ${games[names[1]]}`),
      el("thead", {}, row(head("rule"), ...names.map((name) => head(games[name])), head("clauses"))),
      el("tbody", {}, ...found.map(([name, said, where, values]) => row(
        el("th", { scope: "row" }, ...ruleName(name, said)),
        ...names.map((game) => valueCell(values[game])),
        el("td", {}, ...spaced(where.map(clause))))))));
  }

  /** Show what the two chosen games do differently. */
  function show() {
    place.replaceChildren();
    count.textContent = "";
    document.title = page;
    if (!one.value || !other.value) return;
    if (one.value === other.value) {
      count.textContent = "That is the same game twice.";
      return;
    }
    const found = rules.filter(([, , , values]) => values[one.value][0] !== values[other.value][0]);
    const [left, right] = [one, other].map((select) => games[select.value]);
    count.textContent = `${left} and ${right} differ in ${found.length} of ${rules.length} rules.`;
    document.title = `${left} and ${right}`;
    place.append(table(found, one.value, other.value));
  }

  function keep() {
    const asked = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
    history.replaceState(null, "", `#${asked}`);
    show();
  }

  /** Take the games from the address; a link that names one leaves the other to choose. */
  function read() {
    const asked = new URLSearchParams(location.hash.slice(1));
    if (!asked.has(one.name)) return;
    for (const select of [one, other]) {
      const name = asked.get(select.name);
      select.value = Object.hasOwn(games, name) ? name : "";
    }
    show();
    form.closest("section").scrollIntoView();
    if (!other.value) other.focus({ preventScroll: true });
  }

  form.hidden = false;
  form.addEventListener("change", keep);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", read);
  read();
})();
