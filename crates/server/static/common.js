// What every page needs: requests, short messages, the theme, rule lists and vignettes.

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
  line.textContent = text;
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

/** Sends JSON; what goes wrong is thrown as the server's own words. */
export async function send(address, body, method = "POST") {
  const answer = await fetch(address, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body ?? {}) });
  const json = await answer.json().catch(() => ({ message: `the server answered ${answer.status}` }));
  if (!answer.ok) throw Object.assign(new Error(json.message), json);
  return json;
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

/** The area that some things take up, in the board's own units. */
export function around(all, grow) {
  const areas = all.map((e) => {
    const { x, y, width, height } = e.getBBox(), at = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(e.getAttribute("transform") ?? "") ?? [0, 0, 0];
    return [x + +at[1], y + +at[2], x + +at[1] + width, y + +at[2] + height];
  }).filter(([x, , right]) => right > x);
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
