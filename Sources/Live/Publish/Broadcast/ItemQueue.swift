// SPDX-License-Identifier: MIT

/// Items that wait on the thread on which they came.
final class ItemQueue: ItemSource {
  private var items: [StreamItem] = []
  private var ending: SourceEnd?
  private var isCancelled = false

  var end: SourceEnd? { items.isEmpty ? ending : nil }

  func put(_ item: StreamItem) {
    if !isCancelled { items.append(item) }
  }

  /// Nothing more is put in.
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
