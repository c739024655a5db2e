// SPDX-License-Identifier: MIT

/// A target of a broadcast, with the items that it has yet to receive.
struct BroadcastEntry {
  let run: any BroadcastMember
  let queue: ItemQueue
  /// Whether it receives items; a target that is added later begins at a key frame.
  var hasBegun: Bool
}

extension Collection<BroadcastEntry> {
  /// Whether no target is about to drop something. Items are kept for a target that is still connecting for the first
  /// time; one that lost its connection gets the stream from its current time when it returns.
  var haveRoom: Bool {
    let running = filter(\.run.isRunning)
    let opening = filter { $0.hasBegun && $0.run.isOpening }
    return !running.isEmpty && (running + opening).allSatisfy(\.run.hasRoom)
  }
}
