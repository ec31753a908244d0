/* The page of one world: filters, sorting, pages of rows, the chosen class and its steps.
 *
 * All that is shown stands in the page already: the rows in the table, the rest in the JSON of #data. Nothing is fetched,
 * nothing is parsed as markup. What is chosen stands in the address: #class=3&step=2&motif.shape=with&sort=-size.
 */
"use strict";

(() => {
  const PAGE = 50; // rows
  const AT_ONCE = 150; // milliseconds until a change reaches the address
  const byId = (id) => document.getElementById(id);
  if (!byId("data")) return;

  const data = JSON.parse(byId("data").textContent);
  const form = byId("filters");
  const body = byId("classes").tBodies[0];
  const heads = [...byId("classes").tHead.rows[0].cells];
  const items = data.classes.map((one, place) => ({ ...one, place, row: body.rows[place] }));
  const byNumber = new Map(items.map((one) => [String(one.number), one]));
  const controls = [...form.elements].filter((one) => one.name);
  const start = byNumber.get(String(data.start));
  const state = { chosen: start, step: 0, sort: "", page: 0, found: items };
  let timer = 0;

  /* ---- values */

  const count = (text) => text.replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
  const words = (number, one, many) => `${count(String(number))} ${String(number) === "1" ? one : many}`;

  function value(one, key) {
    if (key.startsWith("motif.")) return one.motifs[key.slice(6)] ? 1n : 0n;
    if (key.startsWith("tally.")) return BigInt(one.tallies[key.slice(6)]);
    return BigInt(key === "moves" ? one.moves.length : one[key]);
  }

  function keeps(one, name, wanted) {
    if (name === "text") return one.text.includes(wanted.toLowerCase());
    if (name.startsWith("motif.")) return one.motifs[name.slice(6)] === (wanted === "with");
    if (!/^-?\d+$/.test(wanted)) return true;
    const found = value(one, name.slice(4));
    return name.startsWith("min.") ? found >= BigInt(wanted) : found <= BigInt(wanted);
  }

  /* ---- the table */

  function asked() {
    return controls.map((one) => [one.name, one.value.trim()]).filter(([, wanted]) => wanted !== "");
  }

  function find() {
    const filters = asked();
    const found = items.filter((one) => filters.every(([name, wanted]) => keeps(one, name, wanted)));
    const down = state.sort.startsWith("-");
    const key = state.sort.replace(/^-/, "");
    if (key) {
      found.sort((one, other) => {
        const [a, b] = [value(one, key), value(other, key)];
        return (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1) || one.place - other.place;
      });
    }
    state.found = found;
    state.page = Math.min(state.page, Math.max(0, Math.ceil(found.length / PAGE) - 1));
  }

  function draw() {
    const start = state.page * PAGE;
    const shown = state.found.slice(start, start + PAGE);
    body.replaceChildren(...shown.map((one) => one.row));
    const entry = shown.includes(state.chosen) ? state.chosen : shown[0];
    for (const one of shown) {
      const link = one.row.querySelector("a");
      link.tabIndex = one === entry ? 0 : -1;
      one.row.classList.toggle("chosen", one === state.chosen);
      if (one === state.chosen) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    for (const head of heads) {
      const key = head.dataset.key;
      const sorted = state.sort === key ? "ascending" : state.sort === `-${key}` ? "descending" : "none";
      head.setAttribute("aria-sort", sorted);
    }
    byId("pages").hidden = state.found.length <= PAGE;
    byId("page").textContent = `rows ${start + 1} to ${start + shown.length} of ${count(String(state.found.length))}`;
    byId("before").disabled = state.page === 0;
    byId("after").disabled = start + PAGE >= state.found.length;
    tell();
  }

  function tell() {
    const raw = (some) => some.reduce((sum, one) => sum + BigInt(one.size), 0n);
    const all = state.found.length === items.length;
    const of = (some, every) => (all ? count(String(every)) : `${count(String(some))} of ${count(String(every))}`);
    const total = raw(items);
    const said = `${of(state.found.length, items.length)} ${items.length === 1 ? "class" : "classes"}, ` +
      `${of(raw(state.found), total)} raw ${total === 1n ? "solution" : "solutions"}`;
    if (byId("count").textContent !== said) byId("count").textContent = said;
  }

  /* ---- the chosen class */

  function show() {
    const one = state.chosen;
    const last = one.moves.length;
    byId("selected-title").textContent = `Class ${one.number}`;
    byId("summary").textContent = one.summary;
    byId("moves").replaceChildren(...one.moves.map((move) => {
      const [item, text] = [document.createElement("li"), document.createElement("bdi")];
      text.textContent = move;
      item.append(text);
      return item;
    }));
    byId("told").textContent = one.told;
    byId("words").hidden = !one.told;
    byId("representative").textContent = one.representative;
    byId("members").textContent = one.members.join("\n");
    byId("members-note").textContent = one.more;
    byId("members-note").hidden = !one.more;
    byId("copy-all").textContent = one.more ? `Copy the first ${one.members.length} words` : "Copy all words";
    byId("step").max = String(last);
    byId("stepper").hidden = !one.stepped || last === 0;
    byId("undrawn").hidden = one.drawn;
    step(state.step);
  }

  function step(wanted) {
    const one = state.chosen;
    const last = one.moves.length;
    state.step = one.stepped ? Math.min(Math.max(0, wanted), last) : last;
    const image = byId("picture");
    image.hidden = !one.drawn;
    byId("paper").hidden = !one.drawn;
    byId("alone").hidden = !one.drawn;
    if (one.drawn) {
      const source = `pictures/${one.number}-${state.step}.svg`;
      if (image.getAttribute("src") !== source) image.setAttribute("src", source);
      byId("open").href = source;
      image.alt = `${data.code}, class ${one.number}, after step ${state.step} of ${last}`;
    }
    byId("step").value = String(state.step);
    byId("step").setAttribute("aria-valuetext", `step ${state.step} of ${last}`);
    byId("step-label").textContent = `Step ${state.step} of ${last}`;
    byId("back").disabled = state.step === 0;
    byId("forth").disabled = state.step === last;
    [...byId("moves").children].forEach((item, place) => {
      item.classList.toggle("done", place < state.step);
      if (place === state.step - 1) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
    later();
  }

  function choose(one, focus) {
    state.chosen = one;
    state.step = one.moves.length;
    const place = state.found.indexOf(one);
    if (place >= 0) state.page = Math.floor(place / PAGE);
    draw();
    show();
    if (focus && place >= 0) one.row.querySelector("a").focus();
  }

  /* ---- the address */

  function address() {
    const parts = new URLSearchParams();
    parts.set("class", state.chosen.number);
    if (state.step !== state.chosen.moves.length) parts.set("step", state.step);
    if (state.sort) parts.set("sort", state.sort);
    for (const [name, wanted] of asked()) parts.set(name, wanted);
    return `#${parts}`;
  }

  function later() {
    byId("permalink").href = address();
    clearTimeout(timer);
    timer = setTimeout(() => history.replaceState(null, "", address()), AT_ONCE);
  }

  function follow() {
    const parts = new URLSearchParams(location.hash.slice(1));
    if (!parts.has("class")) return false;
    for (const one of controls) one.value = parts.get(one.name) ?? "";
    const sort = parts.get("sort") ?? "";
    state.sort = heads.some((head) => head.dataset.key === sort.replace(/^-/, "")) ? sort : "";
    for (const open of form.querySelectorAll("details")) {
      open.open = open.open || [...open.querySelectorAll("input")].some((one) => one.value !== "");
    }
    find();
    const one = byNumber.get(parts.get("class"));
    choose(one ?? start, false);
    if (/^\d+$/.test(parts.get("step") ?? "")) step(Number(parts.get("step")));
    say(one ? "" : `This page has no class ${parts.get("class")}.`);
    return true;
  }

  /* ---- copying */

  function say(text) {
    byId("said").textContent = text;
  }

  async function copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
      say(`${what} copied.`);
    } catch {
      say(byHand(text) ? `${what} copied.` : "The browser does not let this page copy: mark the text below instead.");
    }
  }

  function byHand(text) {
    const area = document.createElement("textarea");
    const before = document.activeElement;
    area.value = text;
    area.className = "hush";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    before?.focus();
    return done;
  }

  /* ---- what people do */

  function changed() {
    state.page = 0;
    find();
    draw();
    later();
  }

  function turn(by) {
    state.page += by;
    draw();
    body.rows[0].querySelector("a").focus();
  }

  function onKey(event) {
    const links = [...body.querySelectorAll("th a")];
    const at = links.indexOf(event.target);
    const goal = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
    if (at < 0 || goal === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const row = body.rows[Math.min(Math.max(0, goal), links.length - 1)];
    choose(byNumber.get(row.dataset.class), true);
  }

  function onRow(event) {
    const row = event.target.closest("tr");
    if (!row || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    choose(byNumber.get(row.dataset.class), true);
  }

  function sortable(head) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => {
      const key = head.dataset.key;
      state.sort = state.sort === key ? `-${key}` : state.sort === `-${key}` ? "" : key;
      changed();
    });
    head.append(button);
  }

  for (const one of items) {
    one.text = [one.representative, ...one.moves, one.told].join("\n").toLowerCase();
    one.row.querySelector("a").href = `#class=${one.number}`;
  }
  if (items.length > 1) heads.forEach(sortable);
  form.hidden = items.length < 2;
  byId("tools").hidden = false;
  form.addEventListener("input", changed);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(changed));
  body.addEventListener("click", onRow);
  body.addEventListener("keydown", onKey);
  byId("before").addEventListener("click", () => turn(-1));
  byId("after").addEventListener("click", () => turn(1));
  byId("step").addEventListener("input", () => step(Number(byId("step").value)));
  byId("back").addEventListener("click", () => step(state.step - 1));
  byId("forth").addEventListener("click", () => step(state.step + 1));
  byId("copy-one").addEventListener("click", () => copy(state.chosen.representative, "Representative"));
  byId("copy-all").addEventListener("click", () => copy(state.chosen.members.join("\n"), words(state.chosen.members.length, "word", "words")));
  byId("permalink").addEventListener("click", (event) => {
    event.preventDefault();
    copy(new URL(address(), location.href).href, "Link");
  });
  addEventListener("hashchange", () => {
    if (location.hash !== address() && follow()) byId("solutions").scrollIntoView();
  });
  find();
  if (!follow()) {
    state.step = state.chosen.moves.length;
    draw();
    show();
    clearTimeout(timer); // an address that nobody asked for stays away until something is chosen
  }
})();
