// SPDX-License-Identifier: MIT

internal import Media

/// The connection of a broadcast to one of its targets.
protocol BroadcastMember: AnyObject {
  /// Called once, when no more will be sent.
  var onEnd: () -> Void { get set }
  /// The error with which it ended.
  var outcome: MediaError? { get }
  /// Whether the target is currently accepting the stream.
  var isRunning: Bool { get }
  /// Whether the first attempt to connect has neither succeeded nor failed.
  var isOpening: Bool { get }
  /// Whether it can take more without dropping anything.
  var hasRoom: Bool { get }

  func start()
  /// Ends the stream properly.
  func stop()
  /// Continues after new items have come.
  func turn()
  func state(id: Int) -> BroadcastState
}

extension PublishRun: BroadcastMember {}
