// SPDX-License-Identifier: MIT

/// Items that wait on the thread on which they arrived.
final class ItemQueue: ItemSource {
  private var items: [StreamItem] = []
  private var ending: SourceEnd?
  private var isCancelled = false

  var end: SourceEnd? { items.isEmpty ? ending : nil }

  func put(_ item: StreamItem) {
    if !isCancelled { items.append(item) }
  }

  /// Marks the end: nothing more is added.
  func finish() {
    if !isCancelled { ending = .complete }
  }

  func take() -> [StreamItem] {
    defer { items = [] }
    return items
  }

  func cancel() {
    isCancelled = true
    items = []
  }
}
