// SPDX-License-Identifier: MIT

/// Files that no playlist names any more, which are kept as long as players may want them.
struct ExpiredFiles {
  /// The names of files, and the duration of the stream that must pass before they can be removed, in microseconds.
  private var entries: [(names: [String], left: Int64)] = []

  mutating func add(_ names: [String], for microseconds: Int64) {
    if !names.isEmpty { entries.append((names, microseconds)) }
  }

  /// Records that this many microseconds of the stream have passed.
  mutating func pass(_ microseconds: Int64) {
    for index in entries.indices { entries[index].left -= microseconds }
  }

  /// Removes the names that are due from the list and returns them.
  mutating func takeDue() -> [String] { take { $0 <= 0 } }

  /// Removes all names from the list and returns them.
  mutating func takeAll() -> [String] { take { _ in true } }

  private mutating func take(_ isDue: (Int64) -> Bool) -> [String] {
    let names = entries.filter { isDue($0.left) }.flatMap(\.names)
    entries.removeAll { isDue($0.left) }
    return names
  }
}
