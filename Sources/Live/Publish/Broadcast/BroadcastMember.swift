// SPDX-License-Identifier: MIT

internal import Media

/// The way of a broadcast to one of its targets.
protocol BroadcastMember: AnyObject {
  /// Called once, when nothing is sent any more.
  var onEnd: () -> Void { get set }
  /// How it ended.
  var outcome: MediaError? { get }
  /// Whether the target takes the stream now.
  var isRunning: Bool { get }
  /// Whether the first attempt to connect has neither succeeded nor failed.
  var isOpening: Bool { get }
  /// Whether more may come without anything being left out.
  var hasRoom: Bool { get }

  func start()
  /// Ends the stream in order.
  func stop()
  /// Something has come.
  func turn()
  func state(id: Int) -> BroadcastState
}

extension PublishRun: BroadcastMember {}
