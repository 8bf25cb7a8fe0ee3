// The action bar: answers to clicks that cannot be, a place that means several things, and the question that a
// button asks on itself before it does what cannot be taken back.
import { $, $$, calm } from "./common.js";

const bar = $("#ui-prompt"), why = $("#ui-why"), menu = $("#ui-menu");
/** How long an answer stands, and how long a button waits to be pressed once more, in milliseconds. */
const STANDS = 4000, ASKS = 3000;
/** Two presses sooner than this are one double click. */
const PRESSED_TWICE = 400;

let hiding, opener = null;
const show = () => bar.classList.toggle("answers", !why.hidden);

/** A line of an answer, with the rule that it goes by. */
function line({ text, rule, danger }) {
  const p = document.createElement("p");
  p.append(text.charAt(0).toUpperCase() + text.slice(1));
  if (danger) p.className = "danger";
  if (rule) p.append(" ", Object.assign(document.createElement("b"), { textContent: rule }));
  return p;
}
/** Answers in the place of the prompt: for some seconds, read aloud, with a shake of what it is about. */
export function answer(lines, about = []) {
  hint(lines);
  clearTimeout(hiding);
  hiding = setTimeout(hush, STANDS + 20 * why.textContent.length);
  const said = $("#ui-said");
  said.textContent = "";
  said.textContent = why.textContent;
  if (!calm.matches) for (const thing of about) { thing.classList.remove("shaken"); void thing.getBoundingClientRect(); thing.classList.add("shaken"); setTimeout(() => thing.classList.remove("shaken"), 200); }
}
/** Says something until the pointer is elsewhere; not read aloud. */
export function hint(lines) {
  clearTimeout(hiding);
  why.replaceChildren(...lines.map(line));
  why.hidden = false;
  show();
}
export function hush() { clearTimeout(hiding); why.hidden = true; show(); }

/** What a place or a piece may mean, as buttons in the bar. `choices` are what was offered, `take` does one. */
export function list(choices, take, question) {
  opener = document.activeElement;
  const buttons = choices.map((choice) => {
    const button = document.createElement("button");
    button.className = "quiet";
    button.textContent = choice.dataset.range ? $("label", choice).textContent : ($("span", choice) ?? choice).textContent;
    button.title = choice.title;
    button.onclick = () => { close(); take(choice); };
    return button;
  });
  const none = Object.assign(document.createElement("button"), { className: "quiet let-be", textContent: "Let it be", onclick: () => close() });
  const asked = question ? [Object.assign(document.createElement("p"), { textContent: question })] : [];
  if (question) { buttons[0].className = "main"; buttons.reverse(); menu.replaceChildren(...asked, none, ...buttons); } else menu.replaceChildren(...buttons, none);
  menu.hidden = false;
  bar.classList.add("lists");
  hush();
  (question ? none : buttons[0]).focus({ preventScroll: true });
}
/** What had the focus before the menu took it gets it back. */
export function close() {
  const inside = menu.contains(document.activeElement);
  menu.hidden = true;
  bar.classList.remove("lists");
  if (inside && opener?.isConnected) opener.focus({ preventScroll: true });
}
export const isOpen = () => !menu.hidden;
menu.addEventListener("keydown", (event) => {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key], all = $$("button", menu);
  if (!by) return;
  all.at((all.indexOf(document.activeElement) + by) % all.length).focus();
  event.preventDefault();
  event.stopPropagation();
});

/** Whether a button was pressed twice: the first time it asks, for three seconds. */
export function sure(button, question) {
  if (button.classList.contains("asking")) {
    // The second press of a double click is no second thought.
    if (Date.now() - button.dataset.asked < PRESSED_TWICE) return false;
    calmed(button);
    return true;
  }
  $$("#ui-main .asking").forEach(calmed);
  const label = $("span", button) ?? button;
  button.dataset.label = label.textContent;
  label.textContent = `Really? ${button.dataset.label}`;
  button.classList.add("asking");
  button.dataset.asked = Date.now();
  answer([{ text: question, danger: true }]);
  setTimeout(() => calmed(button), ASKS);
  return false;
}
function calmed(button) {
  if (!button.classList.contains("asking")) return;
  button.classList.remove("asking");
  ($("span", button) ?? button).textContent = button.dataset.label;
  delete button.dataset.label;
}

/** Long lists show that they go on: at which of their ends there is more. */
function edges(list) {
  const wide = list.scrollWidth > list.clientWidth + 2, high = list.scrollHeight > list.clientHeight + 2;
  list.classList.toggle("more-before", (wide && list.scrollLeft > 2) || (high && list.scrollTop > 2));
  list.classList.toggle("more-after", (wide && list.scrollLeft + list.clientWidth < list.scrollWidth - 2) || (high && list.scrollTop + list.clientHeight < list.scrollHeight - 2));
}
const SCROLLS = ".choices .some, #ui-menu, #ui-side, #ui-log .tab, .choices .list, #ui-tray";
export const measure = () => $$(SCROLLS).forEach(edges);
document.addEventListener("scroll", (event) => { if (event.target.matches?.(SCROLLS)) edges(event.target); }, true);
addEventListener("resize", measure);
