// SPDX-License-Identifier: MIT

/// Items that wait on the thread on which they came.
final class ItemQueue: EntrySource {
  private var entries: [SampleFeed.Entry] = []
  private var isCancelled = false

  func put(_ entry: SampleFeed.Entry) {
    if !isCancelled { entries.append(entry) }
  }

  func take() -> [SampleFeed.Entry] {
    defer { entries = [] }
    return entries
  }

  func cancel() {
    isCancelled = true
    entries = []
  }
}
