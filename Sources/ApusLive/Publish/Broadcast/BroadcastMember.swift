// SPDX-License-Identifier: MIT

internal import ApusMedia

/// The connection of a broadcast to one of its targets.
protocol BroadcastMember: AnyObject {
  /// Called once, when no more will be sent.
  var onEnd: () -> Void { get set }
  /// Called when it may have made room, or has changed in another way that the schedule depends on.
  var onTurn: () -> Void { get set }
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
  /// Adds an item that leaves now; `turn` follows.
  func offer(_ item: StreamItem)
  /// Ends the stream after the items offered so far; `turn` follows.
  func offerEnd()
  /// Continues after items have been offered, or time has passed.
  func turn()
  func state(id: Int) -> BroadcastState
}
