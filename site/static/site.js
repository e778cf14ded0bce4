// Copies citations, lets the keyboard scroll what is wide, and puts the cases of a
// chapter to the reader's own table. Everything else works without a script.
"use strict";
document.addEventListener("click", (event) => {
  const button = event.target.closest("button.copy");
  if (!button) return;
  const say = (word) => {
    button.textContent = word;
    setTimeout(() => { button.textContent = "Copy"; }, 1600);
  };
  const text = button.dataset.copy;
  const byHand = () => {
    const cite = button.parentNode.querySelector(".cite");
    getSelection().selectAllChildren(cite);
    say("Selected");
  };
  if (!navigator.clipboard) byHand();
  else navigator.clipboard.writeText(text).then(() => say("Copied"), byHand);
});
for (const block of document.querySelectorAll("pre, .table-wrapper")) {
  if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
}

// A chapter at the reader's own table, once that is asked for, and from then on.
(() => {
  const heading = document.querySelector("article h1");
  if (!document.querySelector(".clause") || !heading) return;
  const WANTED = "refengine-at-my-table";
  const SCRIPTS = ["rules.js", "question.js", "at-my-table.js"];
  const here = document.currentScript.src;

  function wanted(now) {
    try {
      if (now === undefined) return localStorage.getItem(WANTED) === "yes";
      localStorage.setItem(WANTED, now ? "yes" : "no");
    } catch { /* a browser that keeps nothing: for this page alone */ }
    return false;
  }
  const load = (name) => new Promise((done) => {
    const script = document.createElement("script");
    script.src = here.replace(/site\.js.*/, name);
    script.onload = done;
    script.async = false;
    document.body.append(script);
  });
  let loaded;

  const place = document.createElement("div");
  place.className = "my-table";
  place.dataset.game = document.querySelector(".opening").dataset.game;
  place.innerHTML = '<button type="button" class="ask-table" aria-pressed="false">At my table</button>'
    + ' <span role="status">How your own table rules the cases of each clause.</span>'
    + ' <a href="ask.html">Change what we play</a>';
  const [button, said] = place.children;
  heading.after(place);

  async function toggle(on) {
    button.setAttribute("aria-pressed", String(on));
    place.dataset.shown = on ? "yes" : "no";
    loaded ||= on && Promise.all(SCRIPTS.map(load));
    await loaded;
    if (!on) {
      if (window.atMyTable) atMyTable.clear();
      said.textContent = "How your own table rules the cases of each clause.";
      return;
    }
    const told = await atMyTable.show(place);
    if (told) said.textContent = `${told}.`;
  }
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    wanted(on);
    toggle(on);
  });
  if (wanted()) toggle(true);
})();
