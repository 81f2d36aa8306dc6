// SPDX-License-Identifier: MIT
// The panel of the story: its steps, their text, and the way back to a step's path.
import { STORY, isOnPath } from "./story.js";

// open(index): shows a step; elements: the elements of the panel
export function createStoryView(elements, open) {
  const { list, title, text, previous, next, back, link } = elements;
  const buttons = STORY.map((step, index) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = String(index + 1);
    button.setAttribute("aria-label", `Step ${index + 1}: ${step.name}`);
    button.title = step.name;
    button.addEventListener("click", () => open(index));
    item.append(button);
    list.append(item);
    return button;
  });
  let shown = null; // the step whose text is shown: the last one of the path, also if the path was left
  const go = (change) => open(Math.max(0, Math.min(STORY.length - 1, (shown ?? -1) + change)));
  previous.addEventListener("click", () => go(-1));
  next.addEventListener("click", () => go(1));
  back.addEventListener("click", () => open(shown));

  function showStep(index) {
    shown = index;
    const step = STORY[index];
    title.textContent = `${index + 1}. ${step.name}`;
    text.innerHTML = step.text; // from story.js, not from outside
    link.hidden = !step.link;
    buttons.forEach((button, i) => {
      if (i === index) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    previous.disabled = index === 0;
    next.disabled = index === STORY.length - 1;
  }
  return {
    draw(snapshot) {
      const index = snapshot.step !== null && STORY[snapshot.step] ? snapshot.step : shown ?? 0;
      if (index !== shown) showStep(index);
      back.hidden = isOnPath(snapshot);
    },
  };
}
