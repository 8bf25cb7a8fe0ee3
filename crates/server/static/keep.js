// What changes in the page is put in without disturbing who reads it: parts that stay the same stay in their
// place, with their focus, what is selected or typed in them, how far they are scrolled and whether they are
// open; and where the control that had the focus is gone, the focus goes to what comes next.
import { $, $$ } from "./common.js";

/** What the server sent of an element that a script has changed since. */
const sent = new WeakMap();
export const keepAsSent = (element) => { if (!sent.has(element)) sent.set(element, element.outerHTML); };
const asSent = (element) => sent.get(element) ?? element.outerHTML;

/** What an element is about: two with the same name are the same thing. */
const MARKS = ["act", "id", "key", "ask", "answer", "sit", "invite", "show", "target", "switch", "order", "orderOf", "piece", "stack"];
function named(element) {
  if (element.id) return `#${element.id}`;
  const mark = MARKS.find((m) => element.dataset?.[m] !== undefined);
  if (mark) return `${element.localName} ${mark} ${element.dataset[mark]}`;
  return element.name ? `${element.localName} ${element.name} ${element.name === "seat" ? "" : element.type}` : null;
}
const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;
const alike = (old, now) => old.nodeType === now.nodeType && (!isElement(old) || (old.localName === now.localName && named(old) === named(now)));

/** Makes one element what another is, and leaves alone what need not change. */
export function become(old, now) {
  if (asSent(old) === now.outerHTML) return;
  sent.delete(old);
  for (const { name } of [...old.attributes]) if (!now.hasAttribute(name) && !(name === "open" && old.localName === "details")) old.removeAttribute(name);
  for (const { name, value } of now.attributes) {
    // Whether a fold is open is its reader's affair.
    if (old.getAttribute(name) !== value && !(name === "open" && old.localName === "details")) old.setAttribute(name, value);
  }
  if (old.dataset.filled !== undefined && old.childNodes.length) return;
  children(old, now);
}
function children(old, now) {
  let at = old.firstChild;
  for (const wanted of [...now.childNodes]) {
    let found = at;
    while (found && !alike(found, wanted)) found = found.nextSibling;
    // What has a name may be further on; what has none is looked for in its place only.
    if (found !== at && (!isElement(wanted) || !named(wanted))) found = null;
    if (!found) { old.insertBefore(wanted, at); continue; }
    while (at !== found) { const gone = at; at = at.nextSibling; gone.remove(); }
    if (isElement(found)) become(found, wanted);
    else if (found.data !== wanted.data) found.data = wanted.data;
    at = found.nextSibling;
  }
  while (at) { const gone = at; at = at.nextSibling; gone.remove(); }
}

// ---- folds stay as their reader left them, also when they have been away for a while ----

const folds = new Map();
document.addEventListener("toggle", ({ target }) => { if (target.dataset?.key) folds.set(target.dataset.key, target.open); }, true);
function refold() {
  for (const fold of $$("details[data-key]")) if (folds.has(fold.dataset.key) && fold.open !== folds.get(fold.dataset.key)) fold.open = !fold.open;
}

// ---- the focus ----

const CHOICES = "#f-choices .main, #f-choices button, #f-choices input:not([type=hidden]), #f-list summary, #f-list button";
const seen = (element) => element?.isConnected && element.checkVisibility() && element.getClientRects().length > 0 && !element.disabled;
/** The first of these that can be seen. */
const first = (selector) => $$(selector).find(seen);

let held = null, parked = null;
/** What has the focus, by what it is about and where it stands. */
export function remember() {
  const now = document.activeElement;
  if (!now || now === document.body) return;
  const menu = now.closest("#ui-menu, #ui-hints, #ui-tray");
  held = {
    now, name: named(now), text: now.textContent.trim(), kind: now.localName, board: !!now.closest("#ui-boards"),
    log: !!now.closest("#ui-log"), part: now.closest("[data-tag]")?.id, menu: !!menu, near: $$(CHOICES).indexOf(now),
  };
}
/** Gives the focus back: to the same control if it is still there, else to the next choice, never to nothing. */
export function restore() {
  refold();
  const was = held, now = document.activeElement, waits = parked && now === parked;
  held = null;
  if (!was || (now !== document.body && seen(now) && !(waits && first(CHOICES)))) return;
  const to = (!waits && again(was)) || next(was);
  to?.focus({ preventScroll: true });
  // While there is nothing to choose the focus rests on the prompt, and goes on when there is.
  parked = to?.tabIndex < 0 ? to : null;
}
function again(was) {
  const within = was.part ? document.getElementById(was.part) : was.board ? $("#ui-boards") : null;
  const all = $$("button, a[href], summary, input, select, textarea, [tabindex]", within ?? document).filter((e) => seen(e) && e.tabIndex >= 0 && e.localName === was.kind);
  return (was.name && all.find((e) => named(e) === was.name)) ?? (was.text && within && all.find((e) => e.textContent.trim() === was.text)) ?? null;
}
function next(was) {
  if (was.log) return first('#ui-log [role=tab][aria-selected="true"]');
  const open = was.board && first("#ui-boards .pane.shown .open[data-id]"), choices = $$(CHOICES).filter(seen);
  // Never on a button that does something else: whoever goes on pressing Enter must not take back what he did.
  // A list that lost one of its buttons goes on where it was.
  const beside = !was.menu && was.near >= 0 ? choices[Math.min(was.near, choices.length - 1)] : null;
  return open || beside || choices.find((c) => c.localName !== "summary") || choices[0] || first("#f-prompt p[tabindex]") || $("#ui-prompt") || $("#ui-boards");
}
