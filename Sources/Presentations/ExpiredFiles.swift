// SPDX-License-Identifier: MIT

/// Files that no playlist names any more, and that stay as long as players may want them.
struct ExpiredFiles {
  /// Names, and how much of the stream has to come until their files can go, in microseconds.
  private var entries: [(names: [String], left: Int64)] = []

  mutating func add(_ names: [String], for microseconds: Int64) {
    if !names.isEmpty { entries.append((names, microseconds)) }
  }

  /// So many microseconds of the stream have come.
  mutating func pass(_ microseconds: Int64) {
    for index in entries.indices { entries[index].left -= microseconds }
  }

  /// The names of those that can go, which are forgotten.
  mutating func takeDue() -> [String] { take { $0 <= 0 } }

  /// The names of all, which are forgotten.
  mutating func takeAll() -> [String] { take { _ in true } }

  private mutating func take(_ isDue: (Int64) -> Bool) -> [String] {
    let names = entries.filter { isDue($0.left) }.flatMap(\.names)
    entries.removeAll { isDue($0.left) }
    return names
  }
}
