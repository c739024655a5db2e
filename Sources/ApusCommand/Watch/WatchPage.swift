// SPDX-License-Identifier: MIT

/// The page that shows a live job: a table, and for each stream a graph of its bit rate over five minutes. It needs
/// only the server that it comes from.
enum WatchPage {
  static let text = """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>apus</title>
    <style>
      body { font: 1rem/1.4 system-ui, sans-serif; margin: 1.5rem auto; max-width: 72rem; padding: 0 1rem; color-scheme: light dark }
      section { border: 1px solid #8888; border-radius: .5rem; padding: .75rem 1rem; margin: 1rem 0 }
      h2 { font-size: 1.1rem; margin: 0 0 .5rem }
      dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: .25rem 1rem; margin: 0 }
      dt { font-size: .8rem; opacity: .7 } dd { margin: 0; font-variant-numeric: tabular-nums }
      svg { width: 100%; height: 5rem; margin-top: .5rem } polyline { fill: none; stroke: #2a7de1; stroke-width: 1.5; vector-effect: non-scaling-stroke }
      table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .2rem .6rem .2rem 0 }
      .down { color: #c33 }
    </style>
    <h1>apus</h1>
    <p id="state" role="status"></p>
    <div id="streams"></div>
    <div id="targets"></div>
    <script>
      const history = {}, before = {}
      const byId = name => document.getElementById(name)
      const make = (name, text) => { const node = document.createElement(name); if (text !== undefined) node.textContent = text; return node }
      const rate = bits => bits < 1e6 ? Math.round(bits / 1e3) + " kbit/s" : (bits / 1e6).toFixed(2) + " Mbit/s"
      const size = bytes => bytes < 1e9 ? (bytes / 1e6).toFixed(1) + " MB" : (bytes / 1e9).toFixed(2) + " GB"
      const span = ms => new Date(ms % 864e5).toISOString().slice(11, 19).replace(/^/, ms >= 864e5 ? Math.floor(ms / 864e5) + " d " : "")
      const ms = value => value === null ? "–" : value.toFixed(1) + " ms"
      function graph(numbers) {
        const top = Math.max(1, ...numbers)
        const points = numbers.map((number, index) => (300 - numbers.length + index) + "," + (50 - 48 * number / top)).join(" ")
        const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg")
        svg.setAttribute("viewBox", "0 0 300 50")
        svg.setAttribute("preserveAspectRatio", "none")
        svg.setAttribute("role", "img")
        svg.setAttribute("aria-label", "bit rate over five minutes, at most " + rate(top))
        const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline")
        line.setAttribute("points", points)
        svg.append(line)
        return svg
      }
      function facts(pairs) {
        const list = make("dl")
        for (const [name, value] of pairs) {
          const pair = make("div")
          pair.append(make("dt", name), make("dd", value))
          list.append(pair)
        }
        return list
      }
      function stream(one) {
        const numbers = history[one.name] = (history[one.name] || []).concat(one.bit_rate).slice(-300)
        const section = make("section")
        section.append(make("h2", one.name + " – " + one.codecs), facts([
          ["from", one.peer], ["software", one.software || "–"], ["for", span(one.duration)], ["bit rate", rate(one.bit_rate)],
          ["pictures a second", one.frame_rate.toFixed(2)], ["key frames every", one.key_frame_distance === null ? "–" : (one.key_frame_distance / 1000).toFixed(2) + " s"],
          ["pictures before sound", ms(one.lead)], ["drift", ms(one.drift)], ["jitter", ms(one.jitter)], ["round trip", ms(one.round_trip)],
          ["players", one.players], ["came again", one.returns], ["recorded in", one.path], ["file", size(one.file_bytes)]
        ]), graph(numbers))
        return section
      }
      function targets(all) {
        const table = make("table"), head = make("tr")
        for (const name of ["stream", "server", "", "bit rate", "queue", "left out", "lost", "round trip"]) head.append(make("th", name))
        table.append(head)
        for (const one of all) {
          const row = make("tr"), key = (one.stream || "") + " " + one.target, last = before[key], now = performance.now()
          const bits = last && one.bytes >= last.bytes ? (one.bytes - last.bytes) * 8000 / (now - last.now) : 0
          before[key] = { bytes: one.bytes, now }
          const up = make("td", one.up ? "up" : "down")
          if (!one.up) up.className = "down"
          row.append(make("td", one.stream || ""), make("td", one.server), up, make("td", rate(bits)), make("td", ms(one.queue_time)),
            make("td", one.dropped), make("td", one.losses), make("td", ms(one.round_trip)))
          table.append(row)
        }
        return table
      }
      async function show() {
        try {
          const now = await (await fetch("streams")).json()
          byId("state").textContent = (now.connections === undefined ? "" : now.connections + " clients, " + now.streams.length + " streams, ")
            + "since " + now.began
          byId("streams").replaceChildren(...(now.streams || []).map(stream))
          byId("targets").replaceChildren(...(now.targets.length ? [targets(now.targets)] : []))
        } catch (error) {
          byId("state").textContent = "The server does not answer."
        }
        setTimeout(show, 1000)
      }
      fetch("history").then(answer => answer.json()).then(old => Object.assign(history, old)).finally(show)
    </script>
    </html>

    """
}
