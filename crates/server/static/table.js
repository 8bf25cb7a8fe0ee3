// The table: the socket that keeps it up to date, clicks that become actions, and all that lies beside the
// board. The server draws; this script knows no game.
import { $, $$, calm, theme, onTheme, toast, send, rules } from "./common.js";
import { choose, dragged, fan, goNear, goTo, move, pan, places, redraw, tabs, things, touched, whole, zoom } from "./board.js";
import "./clock.js";
import { isOld, journal } from "./journal.js";
import { become, remember, restore } from "./keep.js";
import { since } from "./since.js";
import { hint, turnings, wantsTurnings } from "./advice.js";

const main = $("#ui-main"), boards = $("#ui-boards"), why = $("#ui-why"), menu = $("#ui-menu");
const { table, game } = main.dataset;
const seat = main.dataset.seat === undefined ? null : +main.dataset.seat;
const plays = main.dataset.plays !== undefined;
const state = () => $("#ui-state")?.dataset ?? {};

// ---- the socket: says what the page has, gets what it lacks ----

let socket, heard = Date.now(), wait = 500, ready = new Set(), queue = Promise.resolve();

function connect() {
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/t/${table}/socket`);
  socket.binaryType = "blob";
  socket.onopen = () => {
    wait = 500;
    document.body.classList.remove("offline");
    const tags = Object.fromEntries($$("[id][data-tag]").map((e) => [e.id, e.dataset.tag]));
    const known = Object.fromEntries($$("[data-pane]").map((e) => [e.dataset.pane, e.dataset.tag]));
    socket.send(JSON.stringify({ tags, boards: known, theme: theme(), seat, packed: "DecompressionStream" in window }));
  };
  socket.onmessage = (message) => {
    heard = Date.now();
    // One after the other, as they came: unpacking takes a moment.
    queue = queue.then(async () => {
      const news = JSON.parse(await unpacked(message.data));
      if (news.beat) socket.send("{}");
      else take(news);
    }).catch((error) => { console.error(error); location.reload(); });
  };
  socket.onclose = () => {
    document.body.classList.add("offline");
    setTimeout(connect, wait);
    wait = Math.min(wait * 2, 10000);
  };
}
setInterval(() => { if (Date.now() - heard > 50000) { heard = Date.now(); socket.close(); } }, 5000);
const unpacked = (data) => typeof data === "string" ? data : new Response(data.stream().pipeThrough(new DecompressionStream("gzip"))).text();

function element(html) {
  const box = document.createElement("template");
  box.innerHTML = html;
  return box.content.firstElementChild;
}

/** Puts what changed into the page; what was open stays open, what had the focus keeps it. */
function take(news) {
  remember();
  const before = places();
  for (const [id, parent, html] of news.set) {
    const old = document.getElementById(id), now = element(html);
    if (old) become(old, now); else document.getElementById(parent)?.append(now);
    if (id.startsWith("f-chat")) $('[data-tab="chat"]').classList.toggle("news", !$('[data-tab="chat"][aria-selected=true]'));
    if (id === "f-choices") { $("#ui-hints").hidden = true; close(); }
    // After a choice of one's own the next thing to decide is brought into sight; others disturb nobody.
    if (id === "f-prompt" && acted) { acted = false; for (const desk of ["#ui-desk", "#ui-side"]) $(desk).scrollTop = 0; }
  }
  for (const id of news.gone.filter((id) => !isOld(id))) document.getElementById(id)?.remove();
  for (const board of news.boards) redraw(board);
  tabs(news.present);
  move(before);
  const set = news.set.map(([id]) => id);
  settle(set.includes("f-prompt") ? $("#f-prompt").textContent.trim() : "");
  restore();
  if (set.some((id) => id.startsWith("f-journal") || id === "f-state")) look();
}

/** Tells the server that this seat has seen what there is to see; not while it is being told what it missed. */
let looking, missed = Promise.resolve();
function look() {
  if (!plays || seat === null) return;
  clearTimeout(looking);
  looking = setTimeout(() => missed.then(() => !document.hidden && send(`/api/tables/${table}/seen`, { seat }, "PUT").catch(() => {})), 1200);
}
document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });

// ---- choosing: a click on the board narrows the list of choices ----

let picked = [], acted = false;
const choices = () => $$("#f-choices [data-act]");
const targets = (choice) => choice.dataset.targets.split("\n").filter(Boolean);
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
  opener = document.activeElement;
  menu.hidden = false;
  place(menu, x, y);
  menu.firstElementChild.focus({ preventScroll: true });
}
menu.addEventListener("keydown", (event) => {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key], all = $$("button", menu);
  if (by) { all.at((all.indexOf(document.activeElement) + by) % all.length).focus(); event.preventDefault(); event.stopPropagation(); }
});
function place(what, x, y) {
  const area = $("#ui-stage").getBoundingClientRect();
  what.style.left = `${Math.max(4, Math.min(x - area.x + 12, area.width - what.offsetWidth - 8))}px`;
  what.style.top = `${Math.max(4, Math.min(y - area.y + 12, area.height - what.offsetHeight - 8))}px`;
}
/** What had the focus before the menu took it gets it back. */
let opener = null;
const close = () => {
  const inside = menu.contains(document.activeElement);
  menu.hidden = true;
  if (inside && opener?.isConnected) opener.focus({ preventScroll: true });
  hush();
};
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
  // A click or a key asks; the pointer passing by does not.
  if (!label) $("#ui-said").textContent = why.textContent;
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
  acted = true;
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
    if (error.error !== "stale" && error.error !== "unnamed") toast(error.message, error.rule, game);
    light();
  }
}
const ask = (word, more = {}) => attempt(() => send(`/api/tables/${table}/ask`, { seat, ask: word, ...more }));

boards.addEventListener("click", (event) => {
  if (dragged()) return;
  const thing = event.target.closest(".piece[data-id], .space[data-id], .link[data-id]");
  // A finger cannot hover: its first tap on a stack opens it.
  if (event.pointerType === "touch" && fan(thing)) return tell(thing.dataset.id, event.clientX, event.clientY, thing.getAttribute("aria-label"));
  if (thing) click(target(thing), event.clientX, event.clientY);
  else { picked = []; light(); close(); fan(null); }
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
  if (touched() || !menu.hidden || event.pointerType === "touch") return;
  const thing = event.target.closest(".piece[data-id], .space[data-id], .link[data-id]");
  if (!thing) return hush();
  fan(thing);
  tell(thing.dataset.id, event.clientX, event.clientY, thing.getAttribute("aria-label"));
});
boards.addEventListener("pointerleave", (event) => { if (event.pointerType !== "touch") { hush(); fan(null); } });

$("#ui-trays").addEventListener("click", (event) => {
  const thing = event.target.closest(".piece[data-id]");
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
  if ("hint" in data) return hint(table, seat, taken, flash);
  if ("turnings" in data) return turnings(table, seat, plays);
  if (data.sit) {
    event.preventDefault();
    const answer = await attempt(() => send(`/api/tables/${table}/join`, { seat: +data.sit }, "POST", "sit down"));
    if (answer) lookAs(answer.seat);
    return;
  }
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
/** The page again, as a seat sees it, with the focus on what is to be decided. */
function lookAs(seat) {
  const to = `/t/${table}?as=${seat}#ui-prompt`, same = location.pathname + location.search === `/t/${table}?as=${seat}`;
  if (same) location.reload(); else location.href = to;
}
/** Does the choice that a hint names. */
function taken(notation) {
  const choice = choices().find((c) => c.dataset.act === notation);
  if (choice) act(choice);
  else attempt(() => send(`/api/tables/${table}/act`, { seat, number: +state().number, actions: [notation] }));
}
/** Makes a thing on the board stand out for a moment, and brings it into sight. */
function flash(id) {
  const found = things(id);
  if (!found.length) return toast("It is not on the board now.");
  const pane = found[0].closest("[data-pane]");
  if (pane && !pane.classList.contains("shown")) choose(pane.dataset.pane);
  const inside = (e) => { const a = e.getBoundingClientRect(), b = boards.getBoundingClientRect(); return a.x >= b.x && a.right <= b.right && a.y >= b.y && a.bottom <= b.bottom; };
  if (pane && !inside(found[0])) goTo(found);
  for (const thing of found) {
    thing.classList.add("flash");
    setTimeout(() => thing.classList.remove("flash"), 1600);
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
  entry.focus({ preventScroll: true });
}
$("#ui-say")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target, text = form.text.value.trim();
  if (!text) return;
  const said = await attempt(() => send(`/api/tables/${table}/say`, { text, seat, allies: !!form.allies?.checked }, "POST", "say something"));
  if (!said) return;
  if (form.text.value.trim() === text) form.text.value = "";
  // Who has just taken a name is known from now on.
  if (main.dataset.person === undefined) { main.dataset.person = ""; socket.close(); }
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
  if (event.target.closest("input, textarea, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = {
    "+": () => zoom(0.75), "=": () => zoom(0.75), "-": () => zoom(1.33), 0: () => whole(), c: () => goTo(), u: () => $('[data-ask="undo"]')?.click(),
    Escape: () => { picked = []; light(); close(); fan(null); },
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

let settled = false;
/** Whose turn it is in the title, what can be chosen by key, the curtain, and the first number for the dice. */
function settle(prompt) {
  const now = state();
  document.title = now.title ?? document.title;
  $('link[rel="icon"]').href = now.decide === "true" ? "/static/icon-turn.svg" : "/static/icon.svg";
  for (const thing of $$(".pane .open[data-id]")) { thing.setAttribute("tabindex", "0"); thing.setAttribute("role", "button"); }
  if (menu.hidden === false && !choices().length) close();
  if (!settled && now.decide === "true" && $(".pane.shown .open")) {
    settled = true;
    matchMedia("(max-width: 820px)").matches ? goTo() : goNear();
  }
  picked = picked.filter((id) => open([id]).length);
  light();
  journal(prompt);
  if (now.hand !== undefined && now.hand !== String(seat)) {
    if (now.curtain === "true") {
      $("#ui-curtain-name").textContent = now.handName;
      $("#ui-curtain").hidden = false;
      $("#ui-curtain button").onclick = () => lookAs(now.hand);
      $("#ui-curtain button").focus();
    } else lookAs(now.hand);
  }
  for (const mine of ($("#ui-ready")?.dataset.ready ?? "").split(" ").filter(Boolean)) {
    if (ready.has(mine)) continue;
    ready.add(mine);
    const nonce = [...crypto.getRandomValues(new Uint8Array(8))].map((b) => b.toString(16).padStart(2, "0")).join("");
    attempt(() => send(`/api/tables/${table}/ready`, { seat: +mine, nonce }));
  }
  $$("[data-switch]").forEach((link) => { link.hidden = now.stage !== "over" && now.stage !== "running"; });
  if (wantsTurnings()) turnings(table, seat, plays);
}

rules(game);
onTheme(() => socket.close());
connect();
settle("");
missed = since(main, seat).catch(() => {});
look();
