// SPDX-License-Identifier: MIT

/// How many changes became what, by photo and by kind of change.
struct Tally {
  private var photos: [(name: String, counts: [Outcome: Int])] = []
  private var changes: [Change: [Outcome: Int]] = [:]

  var findings: Int { photos.reduce(0) { $0 + ($1.counts[.finding] ?? 0) } }

  mutating func add(_ photo: String, _ change: Change, _ outcome: Outcome) {
    if photos.last?.name != photo { photos.append((photo, [:])) }
    photos[photos.count - 1].counts[outcome, default: 0] += 1
    changes[change, default: [:]][outcome, default: 0] += 1
  }

  func show() {
    let head = Outcome.allCases.map(\.rawValue).joined(separator: " | ")
    print("| photo | changes | \(head) |\n|---|---|---|---|---|---|")
    for (name, counts) in photos { show(name, counts) }
    var all: [Outcome: Int] = [:]
    for (_, counts) in photos { all.merge(counts) { $0 + $1 } }
    show("all", all)
    print("\n| change | changes | \(head) |\n|---|---|---|---|---|---|")
    for change in Change.allCases { show(change.rawValue, changes[change] ?? [:]) }
  }

  private func show(_ name: String, _ counts: [Outcome: Int]) {
    let cells = Outcome.allCases.map { "\(counts[$0] ?? 0)" }.joined(separator: " | ")
    print("| \(name) | \(counts.values.reduce(0, +)) | \(cells) |")
  }
}
