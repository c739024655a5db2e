// SPDX-License-Identifier: MIT

/// A target of a broadcast, with what it has still to be given.
struct BroadcastEntry {
  let run: any BroadcastMember
  let queue: ItemQueue
  /// Whether it gets what comes; one that is added later begins at a key frame.
  var hasBegun: Bool
}

extension Collection<BroadcastEntry> {
  /// Whether no target is about to leave something out. What comes is kept for one that is still connecting for the first
  /// time; one that is gone gets the stream from where it is when it returns.
  var haveRoom: Bool {
    let running = filter(\.run.isRunning)
    let opening = filter { $0.hasBegun && $0.run.isOpening }
    return !running.isEmpty && (running + opening).allSatisfy(\.run.hasRoom)
  }
}
