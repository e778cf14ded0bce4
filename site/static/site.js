// Copies citations, and lets the keyboard scroll wide blocks of code.
// Everything else on these pages works without a script.
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
for (const block of document.querySelectorAll("pre")) {
  if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
}
