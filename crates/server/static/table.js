// The table: the socket that keeps it up to date, clicks that become actions, and all that lies beside the
// board. The server draws; this script knows no game.
import { $, $$, calm, theme, onTheme, toast, send, rules } from "./common.js";
import { asLeft, choose, dragged, fit, follow, goNear, goTo, move, pan, places, redraw, tabs, things, touched, traces, zoom } from "./board.js";
import { answer, close, hush, isOpen, list, measure, sure } from "./bar.js";
import { choices, click, does, hover, inHand, letGo, open, refresh, refuse, takePlace, takeStack } from "./hand.js";
import { closeTray, openTray, renew, rest } from "./tray.js";
import "./clock.js";
import { sound } from "./dice.js";
import { isOld, journal } from "./journal.js";
import { become, remember, restore } from "./keep.js";
import { looking, lookKey, since } from "./look.js";
import { hint, turnings, wantsTurnings } from "./advice.js";

const main = $("#ui-main"), boards = $("#ui-boards");
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
    if (document.body.classList.contains("offline")) answer([{ text: "The line is back." }]);
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
    if (id === "f-choices") { $("#ui-hints").hidden = true; if (isOpen()) close(); }
    // After a choice of one's own the next thing to decide is brought into sight; others disturb nobody.
    if (id === "f-prompt" && acted) { acted = false; for (const desk of ["#ui-desk", "#ui-side"]) $(desk).scrollTop = 0; }
  }
  for (const id of news.gone.filter((id) => !isOld(id))) document.getElementById(id)?.remove();
  for (const board of news.boards) redraw(board);
  tabs(news.present);
  const { moved, gone } = move(before);
  const set = news.set.map(([id]) => id);
  settle(set.includes("f-prompt") ? $("#f-prompt").textContent.trim() : "");
  restore();
  refresh();
  renew();
  measure();
  if (set.includes("f-throws")) roll();
  if (state().stage === "over" && set.includes("f-end")) sound("end");
  else sound(gone ? "loss" : moved ? "move" : "");
  if (set.some((id) => id.startsWith("f-journal") || id === "f-state")) look();
}

/** Dice that were thrown beside the board are seen to roll. */
function roll() {
  if (calm.matches) return;
  for (const die of $$("#f-throws .cube")) { die.classList.add("rolling"); setTimeout(() => die.classList.remove("rolling"), 600); }
}

/** Tells the server that this seat has seen what there is to see; not while it is being told what it missed. */
let telling, missed = Promise.resolve();
function look() {
  if (!plays || seat === null) return;
  clearTimeout(telling);
  telling = setTimeout(() => missed.then(() => !document.hidden && send(`/api/tables/${table}/seen`, { seat }, "PUT").catch(() => {})), 1200);
}
document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });

// ---- choosing: on the board, in a tray, in the bar ----

let acted = false;
/** Does a choice. What cannot be taken back its button asks once more, unless that was `asked` already. */
async function act(choice, asked = false) {
  const { act: action, confirm, range } = choice.dataset;
  let amount;
  if (range) {
    const input = $("input", choice);
    if (!input.reportValidity()) return input.focus();
    amount = +input.value;
  }
  if (confirm && !asked && !sure(choice.matches("button") ? choice : $("button", choice), confirm)) return;
  letGo();
  return batch([action], amount);
}
/** Sends actions; where the line is lost, the same once more when it is back, which is done once whatever happens. */
async function batch(actions, amount) {
  const body = { seat, number: +state().number, actions, key: crypto.randomUUID?.() ?? String(Math.random()) };
  if (amount !== undefined) body.amount = amount;
  acted = true;
  document.body.classList.add("sending");
  try {
    for (let tries = 0; ; tries++) {
      try { return await send(`/api/tables/${table}/act`, body); } catch (error) {
        if (error.error !== "offline" || tries > 20) throw error;
        answer([{ text: "The server cannot be reached. Your choice is kept and sent as soon as the line is back.", danger: true }]);
        await new Promise((done) => setTimeout(done, 700));
      }
    }
  } catch (error) { fail(error); } finally { document.body.classList.remove("sending"); }
}
does(act, batch);
/** The same deed for all who act, one after the other, until something else is asked. */
async function alike(deed, count) {
  if (document.body.classList.contains("in-turn")) return;
  document.body.classList.add("in-turn");
  try {
    for (let i = 0; i < count; i++) {
      const number = state().number, choice = choices().find((c) => c.dataset.act.split(" ")[0] === deed && !c.dataset.confirm);
      if (!choice || state().decide !== "true" || !(await batch([choice.dataset.act]))) return;
      for (let waited = 0; state().number === number && waited < 100; waited++) await new Promise((done) => setTimeout(done, 50));
      if (!$(`#f-choices [data-all="${CSS.escape(deed)}"], #f-choices .main[data-act^="${CSS.escape(deed)}"]`)) return;
    }
  } finally { document.body.classList.remove("in-turn"); }
}
function fail(error) {
  if (error.error === "stale") return answer([{ text: "The table had gone on, perhaps by your own hand in another window: nothing was done." }]);
  if (error.error !== "unnamed") answer([{ text: error.message, rule: error.rule, danger: true }]);
}
async function attempt(what) {
  try { return await what(); } catch (error) {
    if (error.error !== "stale" && error.error !== "unnamed") toast(error.message, error.rule, game);
  }
}
const ask = (word, more = {}) => attempt(() => send(`/api/tables/${table}/ask`, { seat, ask: word, ...more }));

const THINGS = ".piece[data-id], .space[data-id], .link[data-id], [data-hex]";
boards.addEventListener("click", (event) => {
  if (dragged() || looking()) return;
  const thing = event.target.closest(THINGS);
  if (!thing) { letGo(); close(); return closeTray(true); }
  const id = thing.dataset.id ?? thing.dataset.hex;
  // A finger cannot hover: a tap shows the stack as well.
  const stack = event.pointerType === "touch" || event.pointerType === "" ? stackFor(thing) : null;
  if (stack) openTray(stack, true);
  click(thing.classList.contains("link") && !open([id]).length ? beneath(event) ?? thing : thing, { shift: event.shiftKey, times: event.detail });
});
const stackFor = (thing) => thing.classList.contains("piece") ? $(`#ui-stacks [data-piece="${CSS.escape(thing.dataset.id)}"]`)?.parentElement.dataset.stack : thing.dataset.id;
/** The place under the pointer, whatever lies over it. */
const beneath = (event) => document.elementsFromPoint(event.clientX, event.clientY).map((e) => e.closest(".space[data-id]")).find(Boolean);
boards.addEventListener("pointermove", (event) => {
  if (touched() || event.pointerType === "touch" || looking()) return;
  const thing = event.target.closest(THINGS);
  rest(thing);
  if (inHand().length) hover(thing);
});
boards.addEventListener("pointerleave", (event) => { if (event.pointerType !== "touch") { rest(null); if (inHand().length) hover(null); } });
for (const beside of ["#ui-trays", "#ui-tray"]) $(beside).addEventListener("click", (event) => {
  const whole = event.target.closest("[data-whole]"), thing = event.target.closest(".piece[data-id], .slot[data-id]");
  if (whole) takePlace(whole.dataset.whole);
  else if (thing && !dragged()) click(thing, { shift: event.shiftKey, times: event.detail });
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
/** What gives something up for good is asked once more. */
const GIVES_UP = { resign: "The others win; where partners play on, a bot takes your seat. Resign?", abandon: "The game ends here, and nobody wins. Put it away?", "give-up": "You will not play here any more. Leave?", "agree-draw": "The game ends, and nobody wins. Agree?" };
main.addEventListener("submit", (event) => {
  const question = GIVES_UP[event.target.elements?.ask?.value];
  if (question && !sure($("button", event.target), question)) event.preventDefault();
});
main.addEventListener("submit", (event) => { if (event.target.matches(".offers form") && !event.target.action.endsWith("/learn")) event.preventDefault(); });
main.addEventListener("click", async (event) => {
  const button = event.target.closest("button, a, [data-show]");
  if (!button) return;
  const choice = button.closest("[data-act]"), data = button.dataset;
  if (choice) { event.preventDefault(); return act(choice); }
  if (data.all) return alike(data.all, +data.count);
  if (data.undoWhy) return answer([{ text: data.undoWhy }], [button]);
  if (data.ask) return ask(data.ask);
  if (data.answer) return ask(data.answer === "yes" ? "agree" : "disagree");
  if (data.tab) return tab(data.tab);
  if (data.orderMove) return shift(data.orderOf, +data.orderMove);
  if ("keys" in data) return $("#ui-keys").showModal();
  if (button.id === "ui-fold") return fold();
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
// A name in the journal lights what it names, as long as the pointer or the focus is on it.
for (const [kind, on] of [["pointerover", true], ["pointerout", false], ["focusin", true], ["focusout", false]]) {
  main.addEventListener(kind, (event) => { const id = event.target.closest?.("button.name")?.dataset.show; if (id) things(id).forEach((e) => e.classList.toggle("named", on)); });
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
let loaded = null;
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
  const form = event.target, text = form.text.value.trim(), to = $$("input[name=to]:checked", form).map((box) => +box.value);
  if (!text) return;
  const said = await attempt(() => send(`/api/tables/${table}/say`, { text, seat, allies: !!form.allies?.checked, to }, "POST", "say something"));
  if (!said) return;
  if (form.text.value.trim() === text) form.text.value = "";
  // Who has just taken a name is known from now on.
  if (main.dataset.person === undefined) { main.dataset.person = ""; socket.close(); }
});
$(".hearers")?.addEventListener("change", (event) => {
  const chosen = $$("input:checked", event.currentTarget).map((box) => box.dataset.called ?? "allies");
  $("summary b", event.currentTarget).textContent = chosen.join(", ") || "all";
});

// ---- standing orders: switches, in an order that can be changed ----

const given = () => $$("#f-orders [data-given]").map((box) => box.dataset.order);
const order = (orders) => ask("orders", { orders });
main.addEventListener("change", (event) => {
  const { order: one } = event.target.dataset;
  if (one) order(event.target.checked ? [...given(), one] : given().filter((other) => other !== one));
});
function shift(one, by) {
  const all = given(), at = all.indexOf(one);
  all.splice(at, 1);
  all.splice(at + by, 0, one);
  order(all);
}
let carried = null;
main.addEventListener("dragstart", (event) => { carried = event.target.closest?.("#f-orders li.given") ?? null; });
main.addEventListener("dragover", (event) => { if (carried && event.target.closest("#f-orders li.given")) event.preventDefault(); });
main.addEventListener("drop", (event) => {
  const on = event.target.closest("#f-orders li.given"), one = carried && $("[data-given]", carried)?.dataset.order;
  if (!on || !one || on === carried) return;
  event.preventDefault();
  const to = given().indexOf($("[data-given]", on).dataset.order);
  shift(one, to - given().indexOf(one));
});
$("#ui-orders")?.addEventListener("submit", (event) => {
  event.preventDefault();
  order(event.target.orders.value.split("\n").map((l) => l.trim()).filter(Boolean));
});

// ---- panels that fold away ----

function fold(away = !document.body.classList.contains("folded")) {
  document.body.classList.toggle("folded", away);
  $("#ui-fold").setAttribute("aria-expanded", !away);
  $("#ui-fold").setAttribute("aria-label", away ? "Show the panels" : "Fold the panels away");
  try { if (!phone.matches) localStorage.setItem("folded", away ? "yes" : "no"); } catch { /* A browser that keeps nothing shows them. */ }
  measure();
}
const phone = matchMedia("(max-width: 820px)");
const gathers = () => state().stage === "gathering";
// On a phone the rest lies in a sheet; before the game it is what there is to see.
try { if (phone.matches ? !gathers() : localStorage.getItem("folded") === "yes") fold(true); } catch { /* as above */ }

let writing;
$("#ui-notes")?.addEventListener("input", (event) => {
  clearTimeout(writing);
  writing = setTimeout(async () => {
    await attempt(() => send(`/api/tables/${table}/notes`, { text: event.target.value }, "PUT"));
    $("#ui-notes-state").textContent = "Kept. Only you can read them.";
  }, 700);
});

// ---- keys ----

/** The next thing that can be chosen, in the middle, with the focus. */
let nextAt = -1;
function next() {
  const all = $$(".pane.shown .open[data-id]");
  if (!all.length) return refuse("");
  nextAt = (nextAt + 1) % all.length;
  goTo([all[nextAt]]);
  all[nextAt].focus({ preventScroll: true });
}
function nextBoard() {
  const all = $$(".pane:not(.still)"), at = all.findIndex((p) => p.classList.contains("shown"));
  if (all.length > 1) choose(all[(at + 1) % all.length].dataset.pane);
}
function press(digit) {
  const all = $$(isOpen() ? "#ui-menu button" : "#f-choices button").filter((b) => b.offsetParent);
  all[digit - 1]?.click();
}
const panel = (word) => { if (document.body.classList.contains("folded")) fold(false); tab(word); $(`[data-tab="${word}"]`).focus(); };
addEventListener("keydown", (event) => {
  if (event.target.closest("input:not([type=checkbox], [type=range]), textarea, select, dialog") || event.altKey) return;
  if (event.ctrlKey || event.metaKey) {
    if (event.key === "z" && !looking()) { $("#ui-undo button")?.click(); event.preventDefault(); }
    return;
  }
  if (event.target.type === "range" && event.key.startsWith("Arrow")) return;
  if (lookKey(event.key)) return event.preventDefault();
  const onButton = event.target.closest("button, a, summary, [role=button], input");
  const keys = {
    "+": () => zoom(0.8), "=": () => zoom(0.8), "-": () => zoom(1.25), 0: fit, c: () => goTo(), n: next, t: () => traces(), b: nextBoard,
    p: () => fold(), u: () => $("#ui-undo button")?.click(), a: takeStack, h: () => $("[data-hint]")?.click(),
    l: () => panel("journal"), r: () => panel("rules"), o: () => { fold(false); $("#ui-orders-box").open = true; $("#ui-orders-box summary").focus(); },
    s: () => { panel("chat"); $("#ui-say input").focus(); }, "?": () => $("#ui-keys").showModal(),
    Escape: () => { letGo(); close(); hush(); closeTray(true); },
  };
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const arrows = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
  const thing = event.target.dataset?.id && event.target.closest("#ui-boards, #ui-trays, #ui-tray") ? event.target : null;
  if (thing && (event.key === "Enter" || event.key === " ")) { click(thing, { key: true, shift: event.shiftKey }); event.preventDefault(); }
  else if (event.key === " " && !onButton) { $("#ui-prompt .main")?.click(); event.preventDefault(); }
  else if (/^[1-9]$/.test(key)) { press(+key); event.preventDefault(); }
  else if (keys[key]) { keys[key](); event.preventDefault(); }
  else if (arrows[event.key] && document.activeElement === boards) { pan(...arrows[event.key]); event.preventDefault(); }
});
boards.addEventListener("focusin", (event) => { if (event.target.matches(".piece:focus-visible, .space:focus-visible")) openTray(stackFor(event.target)); });

// ---- after every change ----

let settled = false, begun;
/** Whose turn it is in the title, what can be chosen by key, the curtain, and the first number for the dice. */
function settle(prompt) {
  const now = state();
  document.title = now.title ?? document.title;
  $('link[rel="icon"]').href = now.decide === "true" ? "/static/icon-turn.svg" : "/static/icon.svg";
  for (const thing of $$(".pane .open[data-id]")) { thing.setAttribute("tabindex", "0"); thing.setAttribute("role", "button"); for (const text of $$("text", thing)) text.setAttribute("aria-hidden", "true"); }
  if (isOpen() && !choices().length) close();
  // What is asked may lie on another board than the one on top; a battle beside its map is not left for that.
  const asks = now.decide === "true" && !$(".pane.shown .open") && $(".pane:not(.still) .open")?.closest(".pane");
  if (asks && !$(".still") && $$('.pane > [data-room="large"]').length < 2) choose(asks.dataset.pane);
  if (!settled && now.decide === "true" && $(".pane.shown .open")) {
    settled = true;
    if (!asLeft()) goNear(phone.matches);
  }
  if (now.decide === "true") follow();
  journal(prompt);
  if (begun === false && !gathers() && phone.matches) fold(true);
  begun = !gathers();
  if (main.dataset.replay === undefined && now.hand !== undefined && now.hand !== String(seat)) {
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
missed = since().catch(() => {});
measure();
look();
