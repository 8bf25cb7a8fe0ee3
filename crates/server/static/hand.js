// The hand: pieces that were picked, where they can go together, and the way there. Clicks and drags are the same
// thing said twice. What is legal the server says; nothing here knows a game.
import { $, $$, area, send } from "./common.js";
import { grip, svg, things } from "./board.js";
import { answer, close, hint, hush, list } from "./bar.js";

const main = $("#ui-main"), boards = $("#ui-boards");
const { table } = main.dataset;
const seat = main.dataset.seat === undefined ? null : +main.dataset.seat;
const state = () => $("#ui-state")?.dataset ?? {};
const deciding = () => state().decide === "true";

/** What was picked, where it can go (by space), and whoever wants to know when that changes. */
let held = [], places = new Map(), queue = Promise.resolve();
const listeners = [];
export const inHand = () => held;
export const onHand = (what) => listeners.push(what);

// ---- what is offered, and who stands where ----

export const choices = () => $$(".offers [data-act]");
export const targets = (choice) => choice.dataset.targets.split("\n").filter(Boolean);
const unique = (found) => found.filter((c, i) => found.findIndex((o) => o.dataset.act === c.dataset.act) === i);
/** Choices that are about all of these things. */
export const open = (ids) => unique(choices().filter((c) => { const about = targets(c); return about.length && ids.every((id) => about.includes(id)); }));
export const sole = (id) => open([id]).filter((c) => targets(c).length === 1);
const entry = (id) => $(`#ui-stacks [data-piece="${CSS.escape(id)}"]`);
/** The stack that a piece belongs to, as data. */
export const stackOf = (id) => entry(id)?.parentElement ?? null;
export const stackAt = (space) => $(`#ui-stacks [data-stack="${CSS.escape(space)}"]`);
const mine = (id) => entry(id)?.dataset.mine !== undefined;
const movable = (id) => deciding() && (mine(id) || open([id]).length > 0);
const isPiece = (thing) => thing.classList.contains("piece") || thing.classList.contains("slot");
const spaceOf = (thing) => isPiece(thing) ? stackOf(thing.dataset.id)?.dataset.stack ?? null : thing.dataset.id ?? thing.dataset.hex ?? null;
const called = (id) => things(id).map((e) => e.dataset.name).find(Boolean) ?? stackAt(id)?.dataset.called ?? "That place";

// ---- asking the server ----

/** What was asked since the table last changed; the oldest answers make room for new ones. */
const known = new Map(), MOST_KNOWN = 64;
/** Where pieces can go together, and the way to one place. */
async function ask(ids, to) {
  const key = JSON.stringify([state().number, [...ids].sort(), to ?? ""]);
  if (known.size >= MOST_KNOWN && !known.has(key)) known.delete(known.keys().next().value);
  if (!known.has(key)) known.set(key, send(`/api/tables/${table}/reach`, { seat, picked: ids, ...(to && { to }) }, "POST", "").catch(() => { known.delete(key); return { reach: [], route: [], about: [] }; }));
  return known.get(key);
}
const reachOf = async (ids) => new Map((await ask(ids)).reach.map((place) => [place.space, place]));
/** One thing after the other, however fast somebody clicks. */
const turn = (what) => (queue = queue.then(what).catch((error) => console.error(error)));

// ---- picking ----

function hold(ids, reach) {
  held = ids;
  places = reach;
  draw();
  listeners.forEach((told) => told());
}
/** What was clicked last, and when: a second click soon after it means all alike. */
let last = { id: "", at: 0 };
/** Lets go of everything. */
export function letGo() {
  if (held.length) hold([], new Map());
  // The next click is a first one, however soon it comes.
  last = { id: "", at: 0 };
  hush();
}

/** Whether any of these places can be seen on the board that is shown. */
const lights = (reach) => [...reach.keys()].some((space) => $(".pane.shown > svg") && middle(svg(), space));

async function toggle(id) {
  if (held.includes(id)) {
    const rest = held.filter((other) => other !== id);
    return hold(rest, rest.length ? await reachOf(rest) : new Map());
  }
  const together = await reachOf([...held, id]);
  if (lights(together)) return hold([...held, id], together);
  if (held.length) {
    const home = stackOf(id)?.dataset.stack;
    if (home && places.has(home)) return go(home);
    const alone = await reachOf([id]);
    if (lights(alone)) return hold([id], alone);
  }
  return null;
}
/** Takes as many of these as can go somewhere together, with what is in the hand or else without it, the rest left
 * behind. */
async function takeAll(ids, first) {
  const more = [...new Set([...held, ...ids])], joined = held.length && !held.some((id) => ids.includes(id)) ? await reachOf(more) : new Map();
  if (lights(joined)) return hold(more, joined);
  const order = [...new Set([first, ...ids].filter(Boolean))];
  const all = await reachOf(order);
  if (all.size) return hold(order, all);
  let some = [], reach = new Map();
  for (const id of order) {
    const more = await reachOf([...some, id]);
    if (more.size) { some = [...some, id]; reach = more; }
  }
  if (some.length) return hold(some, reach);
  return refuse(first ?? order[0] ?? "");
}
const ownAt = (space) => $$("[data-piece]", stackAt(space) ?? document.createElement("i")).filter((e) => e.dataset.mine !== undefined || open([e.dataset.piece]).length).map((e) => e.dataset.piece);
/** The whole stack of what is in the hand, or of what has the focus. */
export const takeStack = () => turn(() => {
  const id = held.at(-1) ?? document.activeElement?.dataset?.id, space = id && (stackOf(id)?.dataset.stack ?? id);
  return space && takeAll(ownAt(space), held.at(-1));
});
export const takePlace = (space) => turn(() => takeAll(ownAt(space)));
/** All that look alike and stand together; where none does, the whole stack. */
function takeAlike(id) {
  const space = stackOf(id)?.dataset.stack, label = (other) => things(other).map((e) => e.getAttribute("aria-label")).find(Boolean)?.split(/[,;(]/)[0];
  const all = space ? ownAt(space) : [id], alike = all.filter((other) => label(other) === label(id));
  return takeAll(alike.length > 1 ? alike : all, id);
}

// ---- a click, or what stands for one ----

let doing = () => {}, batch = async () => {};
/** How a choice is done, and how several actions are. */
export const does = (one, several) => { doing = one; batch = several; };
export const perform = (choice) => choice.dataset.confirm ? list([choice], (it) => doing(it, true), choice.dataset.confirm) : doing(choice);

/** Somebody means this thing. */
export function click(thing, { shift = false, key = false, times = 1 } = {}) {
  const id = thing.dataset.id ?? thing.dataset.hex, space = spaceOf(thing), now = Date.now();
  const again = !key && isPiece(thing) && last.id === id && (times > 1 || now - last.at < 450);
  last = { id: again ? "" : id, at: now };
  return turn(async () => {
    close();
    hush();
    if (shift && space) return takeAll(ownAt(space));
    if (again && movable(id)) return takeAlike(id);
    return meant(thing, id, space);
  });
}
async function meant(thing, id, space) {
  const piece = isPiece(thing);
  if (!deciding()) return refuse(id);
  if (held.length) {
    if (piece && movable(id) && stackOf(id) && await toggle(id) !== null) return;
    const to = places.has(id) ? id : space && places.has(space) ? space : null;
    if (to) return go(to);
    const narrowed = held.length === 1 ? open([held[0], id]) : [];
    if (narrowed.length === 1) { letGo(); return perform(narrowed[0]); }
    if (narrowed.length) return list(narrowed, doing);
    // Something else can be done with it, and the hand is no hindrance.
    const other = sole(id);
    if (!piece && other.length) { letGo(); return other.length === 1 ? perform(other[0]) : list(other, doing); }
    return refuse(id, held);
  }
  const alone = sole(id), about = open([id]), usual = $("#f-choices .main[data-act]");
  if (usual && targets(usual).length === 1 && targets(usual)[0] === id) return perform(usual);
  if (piece && movable(id) && stackOf(id) && await toggle(id) !== null) return;
  if (about.length === 1) return perform(about[0]);
  if (about.length) return list(alone.length ? [...alone, ...(about.length < 8 ? about.filter((c) => !alone.includes(c)) : [])] : about, doing);
  // A piece that nothing is about stands for its space.
  if (piece && space && open([space]).length) return meant(things(space)[0] ?? thing, space, space);
  return refuse(id);
}

/** Why not: the rules that forbid it, or at least the step that is waited for. */
export function refuse(id, picked = []) {
  const about = [id, stackOf(id)?.dataset.stack].filter(Boolean), thing = things(id);
  const all = $$("#f-refused [data-target]").filter((e) => about.includes(e.dataset.target));
  const lines = all.map((e) => ({ text: e.dataset.why, rule: e.dataset.rule }));
  if (!lines.length && picked.length) lines.push({ text: `${called(about.at(-1) ?? id)} is out of reach for ${picked.length === 1 ? "what" : `the ${picked.length} pieces that`} you have in hand.` });
  if (!lines.length) {
    const prompt = $("#f-prompt p"), rule = $(".rule", prompt ?? document)?.textContent, text = prompt?.firstChild?.textContent?.trim() ?? "";
    const whose = state().stage === "over" ? "The game is over." : deciding() ? "Not now." : main.dataset.plays === undefined ? "You are watching." : "It is not your turn.";
    lines.push(text ? { text: `${whose} ${text}`, rule } : { text: whose });
  }
  answer(lines.slice(0, 2), thing);
}

/** Plays the way to a place as one batch. */
async function go(space) {
  const picked = held, { route } = await ask(picked, space);
  if (!route.length) return refuse(space, picked);
  const done = await batch(route);
  if (!done) return;
  letGo();
  listeners.forEach((told) => told(true));
  if (done.unplayed) answer([{ text: `Something happened on the way: ${done.unplayed} of ${route.length} steps were not played.` }]);
}

// ---- what the hand shows on the board ----

const NS = "http://www.w3.org/2000/svg";
function make(name, attributes, text) {
  const e = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  if (text !== undefined) e.textContent = text;
  return e;
}
const middle = (of, id) => {
  const e = $$(".space, [data-hex]", of).find((s) => (s.dataset.id ?? s.dataset.hex) === id);
  const box = e && area($(".shape", e) ?? e);
  return box && { x: box[0] + (box[2] - box[0]) / 2, y: box[1] + (box[3] - box[1]) / 2, rx: (box[2] - box[0]) / 2, ry: (box[3] - box[1]) / 2 };
};
/** The shortest way to say what it costs. */
const figure = (cost) => cost.length < 9 ? cost : cost.split(", ").at(-1);
function overlay(of, name) {
  $(`:scope > g.${name}`, of)?.remove();
  const group = make("g", { class: name, "aria-hidden": "true" });
  of.append(group);
  return group;
}
/** Rings with cost and danger at the places that can be reached, and a frame around what is picked. */
function draw() {
  for (const e of $$(".picked")) e.classList.remove("picked");
  for (const id of held) things(id).forEach((e) => e.classList.add("picked"));
  for (const of of $$(".pane > svg")) {
    const group = overlay(of, "hand-marks"), px = 1 / (of.getScreenCTM()?.a || 1);
    for (const place of places.values()) {
      const at = middle(of, place.space);
      if (!at) continue;
      const mark = make("g", { class: place.danger ? "mark danger" : "mark", "data-reached": place.space, "data-ends": place.ends });
      mark.append(make("ellipse", { cx: at.x, cy: at.y, rx: at.rx + 5 * px, ry: at.ry + 5 * px, "stroke-width": 3 * px, ...(place.ends && { "stroke-dasharray": `${9 * px} ${4 * px}` }) }));
      const text = `${figure(place.cost)}${place.danger ? " ✕" : ""}`.trim();
      if (text) {
        const wide = (text.length * 6.6 + 12) * px, [x, y] = [at.x + at.rx * 0.8, at.y - at.ry - 6 * px];
        mark.append(make("rect", { x: x - wide / 2, y: y - 9 * px, width: wide, height: 18 * px, rx: 9 * px }), make("text", { x, y: y + 4 * px, "font-size": 12 * px, "text-anchor": "middle" }, text));
      }
      group.append(mark);
    }
  }
  route(null);
}
/** The way to a place, drawn: each picked piece from where it stands. */
async function route(space) {
  const of = svg();
  if (!of) return;
  const group = overlay(of, "hand-route");
  if (!space || !places.has(space)) return;
  const { about } = await ask(held, space), at = new Map(held.map((id) => [id, stackOf(id)?.dataset.stack])), px = 1 / (of.getScreenCTM()?.a || 1);
  let common = at.get(held[0]);
  const seen = new Set();
  for (const ids of about) {
    const to = ids.find((id) => middle(of, id)), who = ids.filter((id) => at.has(id));
    if (!to) continue;
    for (const from of who.length ? who.map((id) => at.get(id)) : [common]) {
      const [a, b] = [from && middle(of, from), middle(of, to)];
      if (!a || from === to || seen.has(`${from}\n${to}`)) continue;
      seen.add(`${from}\n${to}`);
      const turn = Math.atan2(b.y - a.y, b.x - a.x), tip = [b.x - Math.cos(turn) * 10 * px, b.y - Math.sin(turn) * 10 * px];
      const wing = (by) => `${tip[0] - Math.cos(turn + by) * 14 * px},${tip[1] - Math.sin(turn + by) * 14 * px}`;
      group.append(make("line", { x1: a.x, y1: a.y, x2: tip[0], y2: tip[1], "stroke-width": 5 * px }), make("polygon", { points: `${tip.join(",")} ${wing(0.45)} ${wing(-0.45)}`, "stroke-width": 2 * px }));
    }
    for (const id of who) at.set(id, to);
    if (who.length === 0 || seen.size) common = to;
  }
}
let over = null;
/** The pointer is over a thing: the way there, what it costs and what waits. */
export function hover(thing) {
  const space = thing && spaceOf(thing), to = space && places.has(space) ? space : null;
  if (to === over) return;
  over = to;
  route(to);
  if (!to) return hush();
  const { cost, danger, ends } = places.get(to);
  hint([{ text: `${called(to)}${cost ? `: ${cost}` : ""}${ends ? ", and the march ends there" : ""}` }, ...(danger ? [{ text: danger, danger: true }] : [])]);
}

/** After an update: what is still there stays in the hand. */
export function refresh() {
  known.clear();
  const there = held.filter((id) => entry(id) && deciding());
  if (!held.length) return draw();
  hold(there, places);
  turn(async () => { if (held.length) { const reach = await reachOf(held); reach.size ? hold(held, reach) : letGo(); } });
}
new MutationObserver(() => { if (held.length) draw(); }).observe(boards, { attributes: true, attributeFilter: ["viewBox"], subtree: true });

// ---- dragging: with a mouse or a pen; a finger moves the board ----

const FAR = 3;
let drag = null;
const under = (event) => document.elementsFromPoint(event.clientX, event.clientY).map((e) => e.closest(".space[data-id], .piece[data-id], [data-hex]")).find((e) => e && !e.closest(".ghost"));
function grab(event) {
  const thing = event.target.closest(".piece[data-id], .slot[data-id]");
  if (event.button !== 0 || event.pointerType === "touch" || event.shiftKey || !thing || !movable(thing.dataset.id) || !stackOf(thing.dataset.id)) return;
  drag = { thing, id: thing.dataset.id, x: event.clientX, y: event.clientY, ghost: null };
  grip.piece = true;
}
boards.addEventListener("pointerdown", grab, true);
$("#ui-tray").addEventListener("pointerdown", grab);
addEventListener("pointermove", (event) => {
  if (!drag) return;
  if (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > FAR) {
    const picture = things(drag.id).map((e) => e.closest(".pane") ? e : $("svg", e)).find(Boolean), size = 52;
    drag.ghost = Object.assign(document.createElement("div"), { className: "ghost" });
    const view = make("svg", { viewBox: picture.getBBox ? [picture.getBBox()].map((b) => `${b.x} ${b.y} ${b.width} ${b.height}`)[0] : "0 0 1 1", width: size, height: size });
    const copy = picture.cloneNode(true);
    copy.removeAttribute("transform");
    copy.removeAttribute("data-id");
    view.append(copy);
    drag.ghost.append(view);
    document.body.append(drag.ghost);
    document.body.classList.add("carrying");
    turn(async () => { if (drag && !held.includes(drag.id)) { if (await toggle(drag.id) === null) refuse(drag.id); } if (drag?.ghost && held.length > 1) drag.ghost.dataset.count = held.length; });
  }
  if (drag.ghost) { drag.ghost.style.translate = `${event.clientX - 26}px ${event.clientY - 26}px`; hover(under(event) ?? null); }
});
addEventListener("pointerup", (event) => {
  const was = drag;
  drag = null;
  grip.piece = false;
  if (!was?.ghost) return;
  was.ghost.remove();
  document.body.classList.remove("carrying");
  grip.dropped = Date.now();
  const thing = under(event), space = thing && spaceOf(thing), home = stackOf(was.id)?.dataset.stack;
  turn(async () => {
    if (!held.length) return;
    if (!space || space === home) return letGo();
    if (places.has(space)) return go(space);
    refuse(space, held);
  });
});
addEventListener("pointercancel", () => { drag?.ghost?.remove(); document.body.classList.remove("carrying"); drag = null; grip.piece = false; });
