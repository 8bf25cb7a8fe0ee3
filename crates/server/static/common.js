// What every page needs: requests, a name for newcomers, short messages, the theme, rule lists and vignettes.

export const $ = (selector, within = document) => within.querySelector(selector);
export const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];

export const calm = matchMedia("(prefers-reduced-motion: reduce)");
const dark = matchMedia("(prefers-color-scheme: dark)");
export const theme = () => (dark.matches ? "dark" : "light");
export const remember = () => { document.cookie = `theme=${theme()}; path=/; max-age=31536000; samesite=lax`; };
export const onTheme = (what) => dark.addEventListener("change", () => { remember(); what(); });
remember();

/** Shows a short message for some seconds; a rule's number becomes a link. */
export function toast(text, rule, game) {
  const line = document.createElement("p");
  line.textContent = text.charAt(0).toUpperCase() + text.slice(1);
  if (rule && game) {
    const link = document.createElement("a");
    link.href = `/rules/${game}#r-${rule}`;
    link.dataset.rule = rule;
    link.textContent = ` rule ${rule}`;
    line.append(link);
  }
  $("#ui-toast").append(line);
  setTimeout(() => line.remove(), 6000);
}

/** Sends JSON; what goes wrong is thrown as the server's own words. Who has no name yet is asked for one, and
 * then it is sent again: `why` is what he was about to do. */
export async function send(address, body, method = "POST", why = "go on") {
  const answer = await fetch(address, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body ?? {}) })
    .catch(() => { throw Object.assign(new Error("the server cannot be reached; nothing was changed as far as this page knows"), { error: "offline" }); });
  const json = await answer.json().catch(() => ({ message: `the server answered ${answer.status}` }));
  if (answer.status === 401 && json.error === "unknown" && why) {
    if (await introduce(why)) return send(address, body, method, "");
    throw Object.assign(new Error("nothing was done: the others must know who does it"), { error: "unnamed" });
  }
  if (!answer.ok) throw Object.assign(new Error(json.message), json);
  return json;
}

/** Asks a newcomer for a name, beside what he was doing; whether he gave one. */
export function introduce(why) {
  const dialog = document.createElement("dialog");
  dialog.id = "ui-name";
  dialog.setAttribute("aria-labelledby", "ui-name-title");
  dialog.innerHTML = `<form method="dialog"><h2 id="ui-name-title">What shall we call you?</h2>
    <p id="ui-name-why"></p>
    <p><label>Your name <input name="name" maxlength="32" required autofocus autocomplete="nickname" aria-describedby="ui-name-why ui-name-trouble"></label></p>
    <p id="ui-name-trouble" class="alarm" role="alert" hidden></p>
    <menu><button value="yes">That is me</button><button value="no" type="button" class="quiet">Not now</button></menu>
    <p class="small">No account, no password. <a href="/you">I have an account</a></p></form>`;
  $("#ui-name-why", dialog).textContent = `To ${why} you need a name that the others see.`;
  document.body.append(dialog);
  const from = document.activeElement, form = $("form", dialog), trouble = $("#ui-name-trouble", dialog);
  return new Promise((done) => {
    let named = false;
    form.onsubmit = async (event) => {
      event.preventDefault();
      try {
        await send("/api/guests", { name: form.name.value, cookie: true }, "POST", "");
        named = true;
        $(".who a")?.replaceChildren(form.name.value.trim());
        dialog.close();
      } catch (error) {
        trouble.textContent = error.message.charAt(0).toUpperCase() + error.message.slice(1);
        trouble.hidden = false;
        form.name.focus();
      }
    };
    $("[value=no]", dialog).onclick = () => dialog.close();
    dialog.onclose = () => { dialog.remove(); if (from?.isConnected) from.focus({ preventScroll: true }); done(named); };
    dialog.showModal();
    form.name.focus();
  });
}

/** A search field over a list of rules, and the buttons that play vignettes. */
export function rules(game) {
  const list = $("#ui-rules");
  $("#ui-rule-search")?.addEventListener("input", (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const entry of $$("[data-rule-entry]", list)) {
      const text = entry.textContent.toLowerCase();
      entry.hidden = !words.every((word) => text.includes(word));
    }
    for (const chapter of $$(".chapter, .sources", list)) chapter.hidden = words.length > 0;
  });
  list?.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-vignette]");
    if (!button) return;
    const answer = await fetch(`/g/${game}/vignette/${button.dataset.vignette}?theme=${theme()}`);
    show(await answer.text());
  });
}

/** Left, top, right and bottom of a thing, in the board's own units. */
export function area(e) {
  const { x, y, width, height } = e.getBBox();
  let [dx, dy] = [0, 0];
  for (let at = e; at && at.localName !== "svg"; at = at.parentElement) {
    const moved = /translate\(([-\d.]+)[ ,]+([-\d.]+)\)/.exec(at.getAttribute("transform") ?? "");
    if (moved) [dx, dy] = [dx + +moved[1], dy + +moved[2]];
  }
  return [x + dx, y + dy, x + dx + width, y + dy + height];
}
/** The area that some things take up, in the board's own units. */
export function around(all, grow) {
  const areas = all.map(area).filter(([x, , right]) => right > x);
  if (!areas.length) return null;
  const [x, y] = [0, 1].map((i) => Math.min(...areas.map((a) => a[i]))), [right, bottom] = [2, 3].map((i) => Math.max(...areas.map((a) => a[i])));
  const room = Math.max(right - x, bottom - y) * grow;
  return [x - room, y - room, right - x + 2 * room, bottom - y + 2 * room];
}
/** Shows of a picture the part where its pieces are, and no less than a third of it. */
function near(frame) {
  const of = $("svg", frame), area = of && around($$(".piece[class*=seat-]", of), 0.35);
  if (!area || of.dataset.near) return;
  of.dataset.near = "yes";
  const [fx, fy, fw, fh] = of.getAttribute("viewBox").split(" ").map(Number), least = Math.min(fw, fh) / 3;
  let [x, y, w, h] = area;
  if (w < least) { x -= (least - w) / 2; w = least; }
  if (h < least) { y -= (least - h) / 2; h = least; }
  [x, y] = [Math.max(x, fx), Math.max(y, fy)];
  of.setAttribute("viewBox", [x, y, Math.min(w, fx + fw - x), Math.min(h, fy + fh - y)].join(" "));
}

/** Plays the pictures of a vignette. */
function show(html) {
  const dialog = $("#ui-show"), frames = $(".frames", dialog);
  frames.innerHTML = html;
  const all = $$("[data-frame]", frames);
  let at = 0;
  const step = (by) => {
    at = Math.max(0, Math.min(all.length - 1, at + by));
    all.forEach((frame, i) => { frame.hidden = i !== at; });
    near(all[at]);
    for (const [by, end] of [[-1, 0], [1, all.length - 1]]) {
      const button = $(`[data-frame-step="${by}"]`, frames);
      if (button) button.disabled = at === end;
    }
  };
  frames.onclick = (event) => { const by = event.target.dataset.frameStep; if (by) step(+by); };
  frames.onkeydown = (event) => { const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]; if (by) step(by); };
  dialog.showModal();
  step(0);
  $('[data-frame-step="1"]', frames)?.focus();
}
