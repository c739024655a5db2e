// SPDX-License-Identifier: MIT

/// A target of a broadcast.
struct BroadcastEntry {
  let run: any BroadcastMember
  /// Whether it gets the items; a target that is added later begins at a key frame.
  var hasBegun: Bool
}

extension StreamSchedule.Targets {
  /// Items are kept for a target that is still connecting for the first time; one that was lost gets the stream from its
  /// current position when it returns.
  init(_ members: some Collection<BroadcastEntry>) {
    hasRoom = true
    for member in members {
      let run = member.run
      if run.isRunning { isRunning = true }
      if run.isOpening { isOpening = true }
      if run.isRunning || (run.isOpening && member.hasBegun) { hasRoom = hasRoom && run.hasRoom }
    }
    hasRoom = hasRoom && isRunning
  }
}
