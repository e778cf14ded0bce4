// The filter of the page of arguments: words are read as the search reads them. The
// address keeps what is looked for, as in arguments.html#find=renege.
"use strict";
(() => {
  const form = document.querySelector(".find");
  const field = form.elements.find;
  const count = document.querySelector(".find-count");
  const topics = [...document.querySelectorAll("article section section")]
    .filter((one) => one.querySelector("section"));
  const links = [...document.querySelectorAll(".jump li")];
  const all = topics.flatMap((topic) => [...topic.querySelectorAll(":scope > section")]);
  const text = (section, place) => section.querySelector(place).textContent;
  const names = (section, place) => [...section.querySelectorAll(place)].map((one) => one.textContent);

  const { madeIndex, search, termsOf } = refengineSearch;
  const index = madeIndex({ ...window.REFENGINE_WORDS, entries: all.map((section) => [
    "", text(section, ".question"), "", [], section.id, [text(section, "h3")],
    text(section, ".ruling-words"), [text(section.parentNode, "h2"), ...names(section, ".profile")].join(" "),
  ]) });
  const numbers = new Map(all.map((section) => [section.id, new Set(names(section, ".clause-link"))]));

  /** The ids of the arguments that have all the words, or else of those that have most. */
  function withWords(query) {
    const terms = termsOf(index, query);
    const has = (entry, term) => entry.fields.some(([, field]) => [...field].some((one) => one.startsWith(term)));
    const whole = index.entries.filter((entry) => terms.every((term) => has(entry, term)));
    return new Set((whole.length ? whole : search(index, query, all.length)).map((one) => one.address));
  }

  /** The arguments that answer to what was typed; clause numbers must all be named. */
  function matching(query) {
    const typed = query.split(/[\s,]+/).filter(Boolean);
    const clauses = typed.filter((word) => /^\d+\.\d+[a-z]?$/.test(word));
    const words = typed.filter((word) => !clauses.includes(word)).join(" ");
    const found = words ? withWords(words) : new Set(all.map((section) => section.id));
    return all.filter(({ id }) => found.has(id) && clauses.every((one) => numbers.get(id).has(one)));
  }

  let waiting = 0;
  function say(...inside) {
    clearTimeout(waiting);
    waiting = setTimeout(() => count.replaceChildren(...inside), 250);
  }

  function show() {
    const query = field.value.trim();
    const found = new Set(matching(query));
    for (const section of all) section.hidden = !found.has(section);
    topics.forEach((topic, at) => {
      const left = topic.querySelectorAll(":scope > section:not([hidden])").length;
      topic.hidden = links[at].hidden = !left;
      links[at].querySelector("span").textContent = left;
    });
    if (!query) say();
    else if (found.size) say(`${found.size} of ${all.length} arguments`);
    else {
      const link = Object.assign(document.createElement("a"),
        { href: `search.html?q=${encodeURIComponent(query)}`, textContent: "Search the whole book" });
      say("No argument has these words. ", link, ".");
    }
  }

  /** Take from the address what is looked for, or open the argument that it names. */
  function read() {
    const asked = new URLSearchParams(location.hash.slice(1)).get(field.name);
    if (asked !== null) {
      field.value = asked;
      show();
      return;
    }
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest("[hidden]")) {
      field.value = "";
      show();
    }
    const folded = target.querySelector(":scope > details");
    if (folded) folded.open = true;
    target.scrollIntoView();
  }

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  field.addEventListener("input", () => {
    const asked = new URLSearchParams({ [field.name]: field.value.trim() });
    history.replaceState(null, "", field.value.trim() ? `#${asked}` : location.pathname);
    show();
  });
  addEventListener("hashchange", read);
  read();
})();
