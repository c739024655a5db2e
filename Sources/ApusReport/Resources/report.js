// SPDX-License-Identifier: MIT
// Links the tree, its fields and its bytes with each other, searches them, and shows numbers under the pointer. Without it
// the page shows the same, and only leads from place to place.
"use strict";
(() => {
  const $ = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  // --- Values: functions that know nothing of the page.

  // What a fragment names: a place, and perhaps a bit counted from where the structure begins.
  const parseFragment = (text, isKnown) => {
    let name;
    try { name = decodeURIComponent(text.replace(/^#/, "")); } catch { return null; }
    if (!name) return null;
    if (isKnown(name)) return { id: name, bit: null };
    const found = /^(.*)@(\d+)$/s.exec(name);
    return found && isKnown(found[1]) ? { id: found[1], bit: Number(found[2]) } : null;
  };

  // The fields that share bits with a range, of rows of the form {first, count}.
  const overlapping = (rows, first, count) =>
    rows.filter(row => row.count > 0 && row.first < first + count && first < row.first + row.count);

  // What a search looks for: a byte of the file, or text.
  const parseQuery = text => {
    const query = text.trim().toLowerCase();
    const place = /^(?:@\s*(\d+)|@?\s*0x([0-9a-f]+))$/.exec(query);
    if (place) return { offset: place[1] ? Number(place[1]) : parseInt(place[2], 16) };
    return query ? { text: query } : null;
  };

  // The addresses and bytes of a listing of bytes: [text, offset or null] pieces in order.
  const parseListing = text => {
    const pieces = [];
    for (const line of text.split(/(?<=\n)/)) {
      const found = /^([0-9a-f]{8,}) ((?: [0-9a-f]{2})+)(.*\n?)$/s.exec(line);
      if (!found) { pieces.push([line, null]); continue; }
      let offset = parseInt(found[1], 16);
      pieces.push([found[1] + " ", null]);
      for (const byte of found[2].trim().split(" ")) pieces.push([" ", null], [byte, offset++]);
      pieces.push([found[3], null]);
    }
    return pieces;
  };

  const hex = number => "0x" + number.toString(16);
  // Which bits of a byte belong to a range of bits.
  const bitsOfByte = (offset, row) =>
    [...Array(8).keys()].filter(bit => offset * 8 + bit >= row.first && offset * 8 + bit < row.first + row.count);

  // --- The tree

  const rowsOf = box => all(":scope > .body > .pair > .fields > tbody > tr", box)
    .concat(all(":scope > .body > .unit", box).flatMap(rowsOf));
  const ranges = new WeakMap();
  const range = row => {
    if (!ranges.has(row)) {
      const start = Number(row.closest(".box").dataset.s) * 8;
      ranges.set(row, { row, first: start + Number(row.dataset.p), count: Number(row.dataset.n) });
    }
    return ranges.get(row);
  };
  // Units have their bytes in the listing of the structure around them.
  const holder = box => { while (box.classList.contains("unit")) box = box.parentElement.closest(".box"); return box; };
  const listing = box => $(":scope > .body > .pair > .hex", holder(box));

  const wire = pre => {
    if (!pre || pre.dataset.wired) return;
    pre.dataset.wired = "yes";
    const escaped = new Set();
    for (const mark of all("u", pre)) {
      const before = document.createRange();
      before.setStart(pre, 0);
      before.setEndBefore(mark);
      escaped.add(before.toString().length);
    }
    const pieces = parseListing(pre.textContent);
    const content = document.createDocumentFragment();
    let length = 0;
    for (const [text, offset] of pieces) {
      if (offset === null) content.append(text);
      else {
        const byte = make("b", { textContent: text });
        byte.dataset.o = offset;
        content.append(escaped.has(length) ? make("u", { title: "emulation prevention" }, byte) : byte);
      }
      length += text.length;
    }
    pre.replaceChildren(content);
  };
  const byteAt = (pre, offset) => pre && $(`b[data-o="${offset}"]`, pre);

  const reveal = element => {
    for (let outer = element.parentElement; outer; outer = outer.parentElement) if (outer.tagName === "DETAILS") outer.open = true;
    if (element.tagName === "DETAILS") element.open = true;
  };
  const status = $("#status");
  const clear = () => {
    all(".on, .at-cursor").forEach(element => element.classList.remove("on", "at-cursor"));
    status.hidden = true;
  };
  const say = (...content) => { status.hidden = false; status.replaceChildren(...content); };
  const nameOf = row => row.cells[2].textContent;
  const valueOf = row => row.cells[3].firstChild ? row.cells[3].firstChild.textContent : "";
  const go = (box, bit) => history.replaceState(null, "", "#" + encodeURIComponent(box.id).replace(/%2F/g, "/").replace(/%3A/g, ":") + (bit === null ? "" : "@" + bit));

  const lightBytes = (pre, first, count) => {
    if (!pre) return null;
    let shown = null;
    for (const byte of all("b", pre)) {
      const offset = Number(byte.dataset.o);
      if (offset * 8 < first + count && first < offset * 8 + 8) {
        byte.classList.add("on");
        shown = shown || byte;
      }
    }
    return shown;
  };

  // The row comes into sight; bytes beside it move in their own frame.
  const bringUp = (row, byte) => {
    row?.scrollIntoView({ block: "center", behavior: "instant" });
    const pre = byte && byte.closest(".hex");
    if (pre) pre.scrollTop = byte.offsetTop - pre.offsetTop - pre.clientHeight / 2;
  };

  const lightMap = box => {
    const outer = box.closest(".tree > .box");
    const link = outer && all(".map a").find(a => a.getAttribute("href") && decodeURIComponent(a.getAttribute("href").slice(1)) === outer.id);
    if (link) $("rect", link)?.classList.add("on");
  };

  const selectRow = (row, { moves = true } = {}) => {
    const box = row.closest(".box");
    clear();
    reveal(box);
    wire(listing(box));
    row.classList.add("on");
    const { first, count } = range(row);
    const byte = lightBytes(listing(box), first, count);
    lightMap(box);
    go(box, first - Number(box.dataset.s) * 8);
    say(make("span", { textContent: `${nameOf(row)} = ${valueOf(row)}` }),
      make("span", { textContent: `${count} bits from byte ${Math.floor(first / 8)} (${hex(Math.floor(first / 8))})${first % 8 ? ", bit " + first % 8 : ""}` }));
    if (moves) bringUp(row, byte);
  };

  const selectByte = (pre, offset) => {
    const box = pre.closest(".box");
    const rows = overlapping(rowsOf(box).map(range), offset * 8, 8);
    clear();
    const byte = byteAt(pre, offset);
    byte?.classList.add("on", "at-cursor");
    for (const { row } of rows) { row.classList.add("on"); reveal(row); }
    lightMap(box);
    const inner = rows.at(-1)?.row.closest(".box") || box;
    go(inner, offset * 8 - Number(inner.dataset.s) * 8);
    const value = byte ? parseInt(byte.textContent, 16) : 0;
    const bits = make("span", { className: "bits" });
    for (let bit = 0; bit < 8; bit++) {
      const owners = rows.filter(row => bitsOfByte(offset, row).includes(bit));
      const owner = owners.at(-1);
      const button = make("button", { type: "button", textContent: value >> (7 - bit) & 1, title: owner ? nameOf(owner.row) : "no field" });
      if (owner) button.onclick = () => selectRow(owner.row);
      button.setAttribute("aria-label", `bit ${bit} is ${value >> (7 - bit) & 1}: ${owner ? nameOf(owner.row) : "no field"}`);
      bits.append(button);
    }
    say(make("span", { textContent: `byte ${offset} (${hex(offset)})` }), bits,
      make("span", { textContent: rows.map(({ row }) => `${nameOf(row)} = ${valueOf(row)}`).join("; ") || "not part of a field shown here" }));
    return rows.map(({ row }) => row);
  };

  // The innermost structure that holds a byte.
  const boxAt = offset => {
    let found = null;
    let level = all(".tree > .box");
    for (;;) {
      const next = level.find(box => !box.classList.contains("unit") && Number(box.dataset.s) <= offset && offset < Number(box.dataset.s) + Number(box.dataset.n));
      if (!next) return found;
      found = next;
      level = all(":scope > .body > .box", next);
    }
  };

  const selectOffset = offset => {
    const box = boxAt(offset);
    if (!box) return false;
    reveal(box);
    wire(listing(box));
    const pre = listing(box);
    if (pre && byteAt(pre, offset)) {
      bringUp(selectByte(pre, offset)[0] || pre, byteAt(pre, offset));
    } else {
      clear();
      box.classList.add("on");
      go(box, null);
      box.scrollIntoView({ block: "center", behavior: "instant" });
      say(`byte ${offset} is in ${box.id} and not shown here`);
    }
    return true;
  };

  const follow = () => {
    const target = parseFragment(location.hash, id => document.getElementById(id) !== null);
    if (!target) return;
    const element = document.getElementById(target.id);
    reveal(element);
    if (!element.classList.contains("box")) return;
    clear();
    wire(listing(element));
    lightMap(element);
    if (target.bit === null) {
      element.classList.add("on");
      element.scrollIntoView({ block: "start", behavior: "instant" });
      return;
    }
    const first = Number(element.dataset.s) * 8 + target.bit;
    const row = overlapping(rowsOf(element).map(range), first, 1).at(-1);
    if (row) selectRow(row.row); else element.classList.add("on");
  };

  // --- Search

  const search = (text, output) => {
    const query = parseQuery(text);
    const boxes = all(".tree .box");
    for (const box of boxes) box.hidden = false;
    all(".fields tr.on").forEach(row => row.classList.remove("on"));
    if (!query) { output.textContent = ""; return 0; }
    if ("offset" in query) {
      const found = selectOffset(query.offset);
      output.textContent = found ? "" : "The file has no such byte.";
      return found ? 1 : 0;
    }
    const keep = new Set();
    let count = 0;
    for (const box of boxes) {
      const summary = $(":scope > summary", box).textContent.toLowerCase();
      let isFound = summary.includes(query.text) || box.id.toLowerCase().endsWith(query.text);
      for (const row of all(":scope > .body > .pair > .fields > tbody > tr", box)) {
        if (!row.textContent.toLowerCase().includes(query.text)) continue;
        row.classList.add("on");
        isFound = true;
        count++;
      }
      if (!isFound) continue;
      if (summary.includes(query.text)) count++;
      for (let outer = box; outer; outer = outer.parentElement.closest(".box")) keep.add(outer);
    }
    for (const box of boxes) {
      box.hidden = !keep.has(box);
      if (keep.has(box) && count < 400) box.open = true;
    }
    output.textContent = count === 0 ? "No matches." : count === 1 ? "1 match" : `${count} matches`;
    return count;
  };

  // --- Charts

  const tipFor = plot => {
    const svg = $("svg", plot);
    const values = svg.dataset.values.split("|");
    const tip = make("span", { className: "tip", hidden: true });
    plot.append(tip);
    const show = index => {
      tip.hidden = false;
      tip.textContent = values[index];
      const box = svg.viewBox.baseVal;
      const x = ((index + .5) / values.length * 800 - box.x) / box.width;
      tip.style.left = `${Math.max(0, Math.min(x * plot.clientWidth - tip.offsetWidth / 2, plot.clientWidth - tip.offsetWidth))}px`;
    };
    let place = 0;
    svg.onpointermove = event => {
      const box = svg.viewBox.baseVal;
      const x = box.x + event.offsetX / svg.clientWidth * box.width;
      place = Math.max(0, Math.min(values.length - 1, Math.floor(x / 800 * values.length)));
      show(place);
    };
    svg.onpointerleave = () => { tip.hidden = true; };
    svg.setAttribute("tabindex", "0");
    svg.onkeydown = event => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      place = Math.max(0, Math.min(values.length - 1, place + step));
      show(place);
    };
    svg.onblur = svg.onpointerleave;
    if (values.length > 60) addZoom(plot, svg);
  };

  const zoomed = (box, factor, centre) => {
    const width = Math.max(20, Math.min(800, box.width * factor));
    const x = Math.max(0, Math.min(800 - width, centre - (centre - box.x) * width / box.width));
    return { x, width };
  };

  const addZoom = (plot, svg) => {
    const zoom = (factor, centre) => {
      const box = zoomed(svg.viewBox.baseVal, factor, centre ?? svg.viewBox.baseVal.x + svg.viewBox.baseVal.width / 2);
      svg.setAttribute("viewBox", `${box.x} 0 ${box.width} 120`);
    };
    const pan = share => {
      const { x, width } = svg.viewBox.baseVal;
      svg.setAttribute("viewBox", `${Math.max(0, Math.min(800 - width, x + width * share))} 0 ${width} 120`);
    };
    const buttons = make("span", { className: "zoom" });
    for (const [text, label, action] of [["−", "Zoom out", () => zoom(2)], ["+", "Zoom in", () => zoom(.5)], ["←", "Earlier", () => pan(-.5)], ["→", "Later", () => pan(.5)]]) {
      const button = make("button", { type: "button", textContent: text, onclick: action });
      button.setAttribute("aria-label", label);
      buttons.append(button);
    }
    $("figcaption", plot.parentElement).append(buttons);
    svg.addEventListener("wheel", event => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const box = svg.viewBox.baseVal;
      zoom(event.deltaY > 0 ? 1.25 : .8, box.x + event.offsetX / svg.clientWidth * box.width);
    }, { passive: false });
  };

  // --- Printing

  // Opens what is closed, and answers what closes it again: paper cannot be clicked. Where the style sheet does it already,
  // this changes nothing.
  const openAll = () => {
    const closed = all("details:not([open])");
    for (const details of closed) details.open = true;
    return () => { for (const details of closed) details.open = false; };
  };

  // --- The page

  const start = () => {
    document.body.classList.add("live");
    for (const tree of all(".tree")) {
      const input = make("input", { type: "search", placeholder: "moov, sample_delta, 0x1f4 …", spellcheck: false });
      const output = make("output");
      const form = make("form", { className: "find" }, make("label", {}, "Find a type, a field, a value or a byte ", input), output);
      form.setAttribute("role", "search");
      let timer = 0;
      input.oninput = () => { clearTimeout(timer); timer = setTimeout(() => search(input.value, output), 150); };
      form.onsubmit = event => { event.preventDefault(); search(input.value, output); };
      tree.before(form);
      tree.addEventListener("click", event => {
        const byte = event.target.closest(".hex b");
        if (byte) return void selectByte(byte.closest(".hex"), Number(byte.dataset.o));
        const row = event.target.closest(".fields > tbody > tr");
        if (row && !getSelection().toString()) selectRow(row, { moves: false });
      });
      tree.addEventListener("toggle", event => { if (event.target.open) wire($(":scope > .body > .pair > .hex", event.target)); }, true);
      tree.addEventListener("focusin", event => { if (event.target.classList.contains("hex")) wire(event.target); });
      tree.addEventListener("keydown", event => {
        const pre = event.target.closest(".hex");
        const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 8, ArrowUp: -8, Home: 0 }[event.key];
        if (!pre || step === undefined) return;
        event.preventDefault();
        wire(pre);
        const bytes = all("b", pre);
        const now = bytes.findIndex(byte => byte.classList.contains("at-cursor"));
        const next = event.key === "Home" || now < 0 ? 0 : Math.max(0, Math.min(bytes.length - 1, now + step));
        selectByte(pre, Number(bytes[next].dataset.o));
      });
    }
    for (const command of all(".mend .command")) {
      const button = make("button", { type: "button", textContent: "Copy" });
      button.onclick = async () => {
        try { await navigator.clipboard.writeText(command.textContent); button.textContent = "Copied"; }
        catch { getSelection().selectAllChildren(command); button.textContent = "Selected"; }
        setTimeout(() => { button.textContent = "Copy"; }, 1500);
      };
      command.after(button);
    }
    for (const pre of all("pre.json")) {
      const button = make("button", { type: "button", textContent: "Save" });
      button.onclick = () => {
        const address = URL.createObjectURL(new Blob([pre.textContent + "\n"], { type: "application/json" }));
        make("a", { href: address, download: pre.dataset.name }).click();
        setTimeout(() => URL.revokeObjectURL(address), 1000);
      };
      pre.before(button);
    }
    for (const plot of all(".plot")) if ($("svg", plot).dataset.values) tipFor(plot);
    let close = () => {};
    addEventListener("beforeprint", () => { close = openAll(); });
    addEventListener("afterprint", () => close());
    addEventListener("hashchange", follow);
    document.addEventListener("click", event => {
      const link = event.target.closest("a[href^='#']");
      const href = link && link.getAttribute("href");
      if (href && href === location.hash) follow();
    });
    follow();
  };

  globalThis.apusReport = {
    parseFragment, overlapping, parseQuery, parseListing, bitsOfByte, zoomed, selectByte, selectRow, selectOffset, search,
    rowsOf, range, wire, listing, nameOf,
  };
  start();
})();
