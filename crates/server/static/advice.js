// Advice: hints while a game is played, turning points when it is over.
import { $, $$, send } from "./common.js";

const percent = (worth) => `${Math.round(worth * 100)} %`;
const line = (tag, text, className = "") => Object.assign(document.createElement(tag), { textContent: text, className });

/** Asks for a hint and shows it beside the choices. `take` does a choice, `show` points at the board. */
export async function hint(table, seat, take, show) {
  const place = $("#ui-hints");
  place.hidden = false;
  place.replaceChildren(line("p", "A captain thinks about it…", "small"));
  try {
    const { choices, analysis } = await send(`/api/tables/${table}/hint`, { seat });
    const told = analysis ? choices.filter((c) => c.worth !== null) : choices.slice(0, 1);
    const rows = told.map((choice, i) => {
      const row = line("p", "");
      const button = line("button", choice.label, "quiet");
      button.onclick = () => take(choice.notation);
      button.onmouseenter = () => choice.targets.forEach(show);
      row.append(button, line("small", choice.worth === null ? "" : ` ${percent(choice.worth)}${i ? "" : " to win"}`));
      return row;
    });
    place.replaceChildren(line("p", analysis ? "Best choices and their chance to win" : "A captain, knowing what you know, would:", "small"), ...rows);
    told[0]?.targets.forEach(show);
    $("button", place)?.focus({ preventScroll: true });
  } catch (error) {
    place.replaceChildren(line("p", error.message, "small"));
  }
}

/** The chances over the game: a line from the beginning to the end, each point a way to that moment. */
function drawn(points, moments, table, seat) {
  const NS = "http://www.w3.org/2000/svg", of = document.createElementNS(NS, "svg"), [wide, high] = [300, 110];
  const x = (at) => (at / Math.max(1, moments)) * wide, y = (chance) => high - chance * high;
  const add = (name, attributes, within = of) => { const e = document.createElementNS(NS, name); for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value); within.append(e); return e; };
  of.setAttribute("viewBox", `-6 -6 ${wide + 12} ${high + 12}`);
  of.setAttribute("class", "fortunes");
  of.setAttribute("role", "group");
  const [first, last] = [points[0]?.[1] ?? 0.5, points.at(-1)?.[1] ?? 0.5];
  of.setAttribute("aria-label", `The chances, from ${percent(first)} at the beginning to ${percent(last)} at the end`);
  add("line", { x1: 0, x2: wide, y1: high / 2, y2: high / 2, class: "half" });
  add("polyline", { points: points.map(([at, chance]) => `${x(at)},${y(chance)}`).join(" ") });
  for (const [at, chance] of points) {
    const link = add("a", { href: `/t/${table}/replay?${new URLSearchParams({ at, ...(seat !== "" && seat !== null && { as: seat }) })}`, "aria-label": `${percent(chance)} at moment ${at}`, tabindex: -1 });
    add("circle", { cx: x(at), cy: y(chance), r: 3 }, link);
    add("circle", { cx: x(at), cy: y(chance), r: 9, class: "wide" }, link);
  }
  return of;
}

/** Lists the turning points of a finished game, each with a way to look at it and to try again from there. */
export async function turnings(table, seat, person) {
  const place = $("#ui-turnings");
  if (!place || place.dataset.asked) return;
  place.dataset.asked = "yes";
  place.replaceChildren(line("p", "Looking for the turning points…", "small"));
  const eyes = seat === null || seat === "" ? "" : `seat=${seat}`;
  const answer = await fetch(`/api/tables/${table}/turnings?${eyes}`).catch(() => null);
  const told = await answer?.json().catch(() => null);
  if (!answer?.ok) return place.replaceChildren(line("p", told?.message ?? "The turning points could not be found.", "small"));
  const list = document.createElement("ol");
  for (const point of told.turnings) {
    const row = document.createElement("li"), deeds = point.deeds.length > 3 ? [...point.deeds.slice(0, 2), `and ${point.deeds.length - 2} more`] : point.deeds;
    row.append(line("b", `${percent(point.before)} → ${percent(point.after)}`), ` ${deeds.join("; ")}`);
    for (const thought of point.thoughts) row.append(line("p", thought, "small"));
    const look = line("a", "Look", "button");
    look.href = `/t/${table}/replay?${new URLSearchParams({ at: point.at, ...(eyes && { as: seat }) })}`;
    const acts = line("div", "", "after");
    acts.append(look);
    if (person) {
      const form = Object.assign(document.createElement("form"), { method: "post", action: `/t/${table}/branch` });
      for (const [name, value] of Object.entries({ at: point.at, as: seat ?? 0, others: "bots" })) {
        form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
      }
      form.append(line("button", "Try again from here", "quiet"));
      acts.append(form);
    }
    row.append(acts);
    list.append(row);
  }
  const chart = drawn(told.chart, told.moments, table, eyes && seat);
  const whose = person ? "your chances" : "the chances", title = told.turnings.length ? `Where ${whose} changed most` : "The chances never changed much at once.";
  place.replaceChildren(line("h3", "The fortunes of war"), chart, line("h3", title), list);
}
export const wantsTurnings = () => $$("#ui-turnings[data-now]:not([data-asked])").length > 0;
