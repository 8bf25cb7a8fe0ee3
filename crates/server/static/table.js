// The table: pan and zoom, clicks that become actions, pieces that move, and the socket that keeps it all up
// to date. The server draws; this script knows no game.
import "./clock.js";
import { $, $$, theme, onTheme, toast, send, rules } from "./common.js";

const main = $("#ui-main"), boards = $("#ui-boards"), why = $("#ui-why"), menu = $("#ui-menu");
const { table, game } = main.dataset;
const seat = main.dataset.seat === undefined ? null : +main.dataset.seat;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const state = () => $("#ui-state")?.dataset ?? {};

// ---- the socket: says what the page has, gets what it lacks ----

let socket, heard = Date.now(), wait = 500, ready = new Set();

function connect() {
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/t/${table}/socket`);
  socket.onopen = () => {
    wait = 500;
    document.body.classList.remove("offline");
    const tags = Object.fromEntries($$("[id][data-tag]").map((e) => [e.id, e.dataset.tag]));
    const known = Object.fromEntries($$("[data-pane]").map((e) => [e.dataset.pane, e.dataset.tag]));
    socket.send(JSON.stringify({ tags, boards: known, theme: theme(), seat }));
  };
  socket.onmessage = (message) => {
    heard = Date.now();
    const news = JSON.parse(message.data);
    if (news.beat) socket.send("{}");
    else take(news);
  };
  socket.onclose = () => {
    document.body.classList.add("offline");
    setTimeout(connect, wait);
    wait = Math.min(wait * 2, 10000);
  };
}
setInterval(() => { if (Date.now() - heard > 50000) { heard = Date.now(); socket.close(); } }, 5000);

function element(html) {
  const box = document.createElement("template");
  box.innerHTML = html;
  return box.content.firstElementChild;
}
function drawing(svg) {
  return new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${svg}</svg>`, "image/svg+xml").documentElement.firstElementChild;
}

/** Puts what changed into the page. */
function take(news) {
  const before = places();
  for (const [id, parent, html] of news.set) {
    const old = document.getElementById(id), now = element(html);
    const focus = old?.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    if (old) old.replaceWith(now); else document.getElementById(parent)?.append(now);
    if (focus) $$("[data-act]", now).find((e) => e.dataset.act === focus)?.focus();
    if (id.startsWith("f-chat")) $('[data-tab="chat"]').classList.toggle("news", !$('[data-tab="chat"][aria-selected=true]'));
  }
  for (const id of news.gone) document.getElementById(id)?.remove();
  for (const board of news.boards) redraw(board);
  const ids = news.present.map(([id]) => id);
  for (const pane of $$("[data-pane]")) if (!ids.includes(pane.dataset.pane)) pane.remove();
  tabs(news.present);
  move(before);
  settle();
}

function redraw(board) {
  let pane = $$("[data-pane]").find((p) => p.dataset.pane === board.id);
  if (board.svg !== undefined) {
    if (!pane) {
      pane = document.createElement("div");
      pane.className = "pane";
      pane.dataset.pane = board.id;
      boards.append(pane);
      choose(board.id);
    }
    const view = $("svg", pane)?.getAttribute("viewBox");
    pane.innerHTML = board.svg;
    if (view && pane.dataset.full === $("svg", pane).getAttribute("viewBox")) $("svg", pane).setAttribute("viewBox", view);
    fit(pane, !view);
  } else {
    for (const [layer, id, svg] of board.parts) {
      const group = level(pane, layer), old = part(group, id), now = document.importNode(drawing(svg), true);
      if (old) old.replaceWith(now); else group.append(now);
    }
    if (board.order) {
      for (const layer of LAYERS) {
        const group = level(pane, layer), ids = board.order.filter(([l]) => l === layer).map(([, id]) => id);
        for (const child of [...group.children]) if (!ids.includes(name(child))) child.remove();
        for (const id of ids) { const child = part(group, id); if (child) group.append(child); }
      }
    }
  }
  pane.dataset.tag = board.tag;
}
/** The group of a layer; one that was empty until now is put in its place. */
const LAYERS = ["links", "spaces", "pieces", "counts"];
function level(pane, layer) {
  const of = $("svg", pane), found = $(`:scope > g.${layer}`, of);
  if (found) return found;
  const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
  group.setAttribute("class", layer);
  const above = LAYERS.slice(LAYERS.indexOf(layer) + 1).map((l) => $(`:scope > g.${l}`, of)).find(Boolean);
  of.insertBefore(group, above ?? null);
  return group;
}
const name = (child) => child.dataset.id ?? child.dataset.count;
const part = (group, id) => [...group.children].find((c) => name(c) === id);

/** Where every piece is, so that it can be seen to move. */
function places() {
  const all = new Map();
  for (const piece of $$(".pane.shown .piece[data-id]")) all.set(piece.dataset.id, piece.getAttribute("transform"));
  return all;
}
function move(before) {
  if (calm.matches) return;
  for (const piece of $$(".pane.shown .piece[data-id]")) {
    const from = before.get(piece.dataset.id), to = piece.getAttribute("transform");
    if (from === to) continue;
    const css = (t) => t.replace(/translate\(([-\d.]+) ([-\d.]+)\)/, "translate($1px, $2px)");
    const frames = from ? [{ transform: css(from) }, { transform: css(to) }] : [{ opacity: 0 }, { opacity: 1 }];
    piece.animate(frames, { duration: 450, easing: "ease-in-out" });
  }
}

// ---- several boards ----

function tabs(present) {
  const bar = $("#ui-tabs");
  bar.replaceChildren(...(present.length > 1 ? present : []).map(([id, text]) => {
    const button = document.createElement("button");
    button.dataset.board = id;
    button.textContent = text;
    return button;
  }));
  if (!$(".pane.shown") && present.length) choose(present.at(-1)[0]);
  mark();
}
function choose(id) {
  for (const pane of $$("[data-pane]")) pane.classList.toggle("shown", pane.dataset.pane === id);
  mark();
}
const mark = () => $$("#ui-tabs button").forEach((b) => b.setAttribute("aria-selected", b.dataset.board === $(".pane.shown")?.dataset.pane));
$("#ui-tabs").addEventListener("click", (event) => { if (event.target.dataset.board) choose(event.target.dataset.board); });

// ---- pan and zoom: the view box of the board ----

const svg = () => $(".pane.shown > svg");
const box = (of) => of.getAttribute("viewBox").split(" ").map(Number);
function fit(pane, anew = true) {
  const of = $("svg", pane);
  if (anew && of) pane.dataset.full = of.getAttribute("viewBox");
}
function zoom(factor, x, y) {
  const of = svg();
  if (!of) return;
  const [bx, by, bw, bh] = box(of), [, , fw, fh] = of.parentElement.dataset.full.split(" ").map(Number);
  const scale = Math.max(0.12, Math.min(1.15, (bw / fw) * factor)) / (bw / fw);
  const at = point(of, x, y);
  of.setAttribute("viewBox", [at.x - (at.x - bx) * scale, at.y - (at.y - by) * scale, bw * scale, bh * scale].join(" "));
  hush();
}
function point(of, x, y) {
  const area = of.getBoundingClientRect();
  return new DOMPoint(x ?? area.x + area.width / 2, y ?? area.y + area.height / 2).matrixTransform(of.getScreenCTM().inverse());
}
function pan(dx, dy) {
  const of = svg();
  if (!of) return;
  const [x, y, w, h] = box(of), scale = of.getScreenCTM().a;
  of.setAttribute("viewBox", [x - dx / scale, y - dy / scale, w, h].join(" "));
}
function whole() { const of = svg(); if (of) of.setAttribute("viewBox", of.parentElement.dataset.full); }

boards.addEventListener("wheel", (event) => { event.preventDefault(); zoom(Math.exp(event.deltaY * 0.0015), event.clientX, event.clientY); }, { passive: false });
const fingers = new Map();
let moved = 0;
boards.addEventListener("pointerdown", (event) => { fingers.set(event.pointerId, event); moved = 0; });
boards.addEventListener("pointermove", (event) => {
  const old = fingers.get(event.pointerId);
  if (!old) return;
  const [dx, dy] = [event.clientX - old.clientX, event.clientY - old.clientY];
  if (fingers.size === 2) {
    const other = [...fingers.values()].find((f) => f.pointerId !== event.pointerId);
    const span = (a) => Math.hypot(a.clientX - other.clientX, a.clientY - other.clientY);
    zoom(span(old) / Math.max(1, span(event)), (event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2);
    moved += 10;
  } else {
    moved += Math.abs(dx) + Math.abs(dy);
    if (moved > 6) { boards.classList.add("dragging"); pan(dx, dy); }
  }
  fingers.set(event.pointerId, event);
});
const lift = (event) => { fingers.delete(event.pointerId); boards.classList.remove("dragging"); };
for (const kind of ["pointerup", "pointercancel", "pointerleave"]) boards.addEventListener(kind, lift);
$(".zoom").addEventListener("click", (event) => ({ in: () => zoom(0.75), out: () => zoom(1.33), fit: whole })[event.target.dataset.zoom]?.());

// ---- choosing: a click on the board narrows the list of choices ----

let picked = [];
const choices = () => $$("#f-choices [data-act]");
const targets = (choice) => choice.dataset.targets.split(" ").filter(Boolean);
const open = (ids) => choices().filter((c) => { const about = targets(c); return about.length && ids.every((id) => about.includes(id)); });

function click(id, x, y) {
  close();
  let found = open([...picked, id]);
  if (!found.length) { picked = []; found = open([id]); }
  if (!found.length) { light(); return tell(id, x, y); }
  picked.push(id);
  light();
  if (found.length === 1) return act(found[0]);
  list(found, x, y);
}
function light() {
  for (const e of $$(".picked")) e.classList.remove("picked");
  for (const id of picked) things(id).forEach((e) => e.classList.add("picked"));
}
const things = (id) => $$("[data-id]").filter((e) => e.dataset.id === id);

/** A menu of choices beside the place that was clicked. */
function list(found, x, y) {
  menu.replaceChildren(...found.map((choice) => {
    const button = document.createElement("button");
    button.textContent = choice.dataset.range ? $("label", choice).textContent : choice.textContent;
    button.setAttribute("role", "menuitem");
    button.className = "quiet";
    button.onclick = () => { close(); act(choice); };
    return button;
  }));
  menu.hidden = false;
  place(menu, x, y);
  menu.firstElementChild.focus({ preventScroll: true });
}
function place(what, x, y) {
  const area = $("#ui-stage").getBoundingClientRect();
  what.style.left = `${Math.max(4, Math.min(x - area.x + 12, area.width - what.offsetWidth - 8))}px`;
  what.style.top = `${Math.max(4, Math.min(y - area.y + 12, area.height - what.offsetHeight - 8))}px`;
}
const close = () => { menu.hidden = true; hush(); };
const hush = () => { why.hidden = true; };

/** Says why a thing cannot be chosen, with the rule. */
function tell(id, x, y, label) {
  const about = [id, beneath(things(id)[0])?.dataset.id];
  const reasons = $$("#f-refused [data-target]").filter((e) => about.includes(e.dataset.target));
  const lines = reasons.map((r) => {
    const line = document.createElement("p");
    line.append(r.dataset.why + " ");
    const rule = document.createElement("b");
    rule.textContent = r.dataset.rule;
    line.append(rule);
    return line;
  });
  if (label) { const line = document.createElement("p"); line.textContent = label; lines.unshift(line); }
  if (!lines.length) return hush();
  why.replaceChildren(...lines);
  why.hidden = false;
  place(why, x, y);
}

async function act(choice) {
  picked = [];
  let { act: action, confirm, range } = choice.dataset, amount;
  if (range) {
    const input = $("input", choice);
    if (!input.reportValidity()) return input.focus();
    amount = +input.value;
  }
  if (confirm && !(await sure(confirm))) return light();
  const body = { seat, number: +state().number, actions: [action], key: crypto.randomUUID?.() ?? String(Math.random()) };
  if (amount !== undefined) body.amount = amount;
  await attempt(() => send(`/api/tables/${table}/act`, body));
}
function sure(question) {
  const dialog = $("#ui-confirm");
  $("p", dialog).textContent = question;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((done) => { dialog.onclose = () => done(dialog.returnValue === "yes"); });
}
async function attempt(what) {
  try { return await what(); } catch (error) {
    if (error.error !== "stale") toast(error.message, error.rule, game);
    light();
  }
}
const ask = (word, more = {}) => attempt(() => send(`/api/tables/${table}/ask`, { seat, ask: word, ...more }));

boards.addEventListener("click", (event) => {
  if (moved > 6) return;
  const thing = event.target.closest(".piece[data-id], .space[data-id], .link[data-id]");
  if (thing) click(target(thing), event.clientX, event.clientY);
  else { picked = []; light(); close(); }
});
/** A piece that nothing is about stands for its space, where one is meant. */
function target(thing) {
  const id = thing.dataset.id;
  if (open([id]).length || $$("#f-refused [data-target]").some((e) => e.dataset.target === id)) return id;
  const under = beneath(thing);
  return under && (open([under.dataset.id]).length || picked.length) ? under.dataset.id : id;
}
/** The space that a piece stands on. */
function beneath(thing) {
  if (!thing?.classList.contains("piece")) return null;
  const area = thing.getBoundingClientRect(), [x, y] = [area.x + area.width / 2, area.y + area.height / 2];
  return document.elementsFromPoint(x, y).map((e) => e.closest(".space[data-id]")).find(Boolean) ?? null;
}
boards.addEventListener("pointermove", (event) => {
  if (fingers.size || !menu.hidden || event.pointerType === "touch") return;
  const thing = event.target.closest(".piece[data-id], .space[data-id], .link[data-id]");
  if (!thing) return hush();
  fan(thing);
  tell(thing.dataset.id, event.clientX, event.clientY, thing.getAttribute("aria-label"));
});
boards.addEventListener("pointerleave", () => { hush(); fan(null); });

/** Stacks open under the pointer, so that every piece in them can be reached. */
let fanned = [];
function fan(thing) {
  if (thing && fanned.includes(thing)) return;
  for (const piece of fanned) piece.style.transform = "";
  fanned = [];
  if (!thing?.classList.contains("piece")) return;
  const here = (e) => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2, r.width]; };
  const [x, y, size] = here(thing);
  const stack = $$(".pane.shown .piece").filter((e) => { const [px, py] = here(e); return Math.hypot(px - x, py - y) < size * 0.75; });
  if (stack.length < 3) return;
  fanned = stack;
  const of = svg(), scale = of.getScreenCTM().a, step = (size * 1.04) / scale;
  const at = point(of, x, y), columns = Math.ceil(Math.sqrt(stack.length));
  stack.forEach((piece, i) => {
    const [dx, dy] = [(i % columns) - (columns - 1) / 2, Math.floor(i / columns) - (Math.ceil(stack.length / columns) - 1) / 2];
    piece.style.transform = `translate(${at.x + dx * step}px, ${at.y + dy * step}px)`;
    piece.parentElement.append(piece);
  });
}

$("#ui-trays").addEventListener("click", (event) => {
  const thing = event.target.closest("[data-id]:not(.tray):not(.track)");
  if (thing) click(thing.dataset.id, event.clientX, event.clientY);
});

// ---- the side: choices, asking back, chat, notes, rules ----

const clipped = (where, path) => {
  const address = location.origin + path, code = document.createElement("code");
  code.textContent = address;
  const copy = document.createElement("button");
  copy.className = "quiet";
  copy.textContent = "Copy";
  copy.onclick = () => navigator.clipboard?.writeText(address).then(() => { copy.textContent = "Copied"; });
  where.replaceChildren(code, " ", copy);
};
main.addEventListener("submit", (event) => { if (event.target.matches("#f-choices form")) event.preventDefault(); });
main.addEventListener("click", async (event) => {
  const button = event.target.closest("button, a, [data-show]");
  if (!button) return;
  const choice = button.closest("[data-act]"), data = button.dataset;
  if (choice) { event.preventDefault(); return act(choice); }
  if (data.ask) return ask(data.ask);
  if (data.answer) return ask(data.answer === "yes" ? "agree" : "disagree");
  if (data.tab) return tab(data.tab);
  if (data.rule) { event.preventDefault(); return rule(data.rule); }
  if (data.show) return flash(data.show);
  if (data.sit) { await attempt(() => send(`/api/tables/${table}/join`, { seat: +data.sit })); return location.reload(); }
  if (data.invite) {
    const answer = await attempt(() => send(`/api/tables/${table}/invite/${data.invite}`));
    if (answer) clipped($(button.closest(".room") ? "#ui-links" : "#ui-seat-link"), answer.path);
  }
  if ("rematch" in data) {
    const answer = await attempt(() => send(`/api/tables/${table}/rematch`));
    if (answer) location.href = `/t/${answer.id}`;
  }
  if ("verify" in data) {
    const answer = await attempt(() => fetch(`/api/tables/${table}/verify`).then((a) => a.json()));
    $("#ui-verified").textContent = answer?.holds ? ` All ${answer.results} results are as the seed says.` : ` ${answer?.message}`;
  }
});
function flash(id) {
  for (const thing of things(id)) {
    thing.classList.add("flash");
    setTimeout(() => thing.classList.remove("flash"), 1300);
  }
}
function tab(word) {
  $$("[data-tab]").forEach((b) => b.setAttribute("aria-selected", b.dataset.tab === word));
  $$("[data-tab-body]").forEach((b) => b.classList.toggle("shown", b.dataset.tabBody === word));
  $(`[data-tab="${word}"]`).classList.remove("news");
  if (word === "rules") return load();
}
let loaded;
const load = () => (loaded ??= fetch(`/g/${game}/rules`).then((a) => a.text()).then((html) => { $("#ui-rules").innerHTML = html; }));
async function rule(number) {
  tab("rules");
  await load();
  const entry = $$("[data-rule-entry]").find((e) => e.dataset.ruleEntry === number);
  $$(".found").forEach((e) => e.classList.remove("found"));
  if (!entry) return toast(`There is no rule ${number} in the ledger.`);
  entry.hidden = false;
  entry.classList.add("found");
  entry.scrollIntoView({ block: "center", behavior: calm.matches ? "auto" : "smooth" });
}
$("#ui-say")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target, text = form.text.value.trim();
  if (!text) return;
  form.text.value = "";
  await attempt(() => send(`/api/tables/${table}/say`, { text, seat, allies: !!form.allies?.checked }));
});
$("#ui-orders")?.addEventListener("submit", (event) => {
  event.preventDefault();
  ask("orders", { orders: event.target.orders.value.split("\n").map((l) => l.trim()).filter(Boolean) });
});
let writing;
$("#ui-notes")?.addEventListener("input", (event) => {
  clearTimeout(writing);
  writing = setTimeout(async () => {
    await attempt(() => send(`/api/tables/${table}/notes`, { text: event.target.value }, "PUT"));
    $("#ui-notes-state").textContent = "Kept. Only you can read them.";
  }, 700);
});

// ---- keys ----

addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = {
    "+": () => zoom(0.75), "=": () => zoom(0.75), "-": () => zoom(1.33), 0: whole, u: () => $('[data-ask="undo"]')?.click(),
    Escape: () => { picked = []; light(); close(); },
  };
  const arrows = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
  if (keys[event.key]) { keys[event.key](); event.preventDefault(); }
  else if (arrows[event.key] && document.activeElement === boards) { pan(...arrows[event.key]); event.preventDefault(); }
  else if ((event.key === "Enter" || event.key === " ") && event.target.dataset?.id && event.target.closest("#ui-boards, #ui-trays")) {
    const area = event.target.getBoundingClientRect();
    click(event.target.dataset.id, area.x, area.y);
    event.preventDefault();
  }
});

// ---- after every change ----

/** Whose turn it is in the title, what can be chosen by key, the curtain, and the first number for the dice. */
function settle() {
  const now = state();
  document.title = now.title ?? document.title;
  for (const thing of $$(".pane .open[data-id]")) thing.setAttribute("tabindex", "0");
  if (menu.hidden === false && !choices().length) close();
  picked = picked.filter((id) => open([id]).length);
  light();
  if (now.hand !== undefined && now.hand !== String(seat)) {
    if (now.curtain === "true") {
      $("#ui-curtain-name").textContent = now.handName;
      $("#ui-curtain").hidden = false;
      $("#ui-curtain button").onclick = () => { location.href = `/t/${table}?as=${now.hand}`; };
      $("#ui-curtain button").focus();
    } else location.href = `/t/${table}?as=${now.hand}`;
  }
  for (const mine of ($("#ui-ready")?.dataset.ready ?? "").split(" ").filter(Boolean)) {
    if (ready.has(mine)) continue;
    ready.add(mine);
    const nonce = [...crypto.getRandomValues(new Uint8Array(8))].map((b) => b.toString(16).padStart(2, "0")).join("");
    attempt(() => send(`/api/tables/${table}/ready`, { seat: +mine, nonce }));
  }
  $$("[data-switch]").forEach((link) => { link.hidden = now.stage !== "over" && now.stage !== "running"; });
}

$$("[data-pane]").forEach((pane) => fit(pane));
mark();
rules(game);
onTheme(() => socket.close());
connect();
settle();
