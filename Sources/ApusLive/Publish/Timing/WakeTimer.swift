// SPDX-License-Identifier: MIT

internal import ApusTransport

/// A timer of a loop that is set for one time after another.
final class WakeTimer {
  private let loop: EventLoop
  private let action: () -> Void
  private var timer: (id: TimerID, time: Int64)?

  init(on loop: EventLoop, _ action: @escaping () -> Void) {
    (self.loop, self.action) = (loop, action)
  }

  /// Replaces the time at which the action is called; `nil` for never.
  func set(_ time: Int64?) {
    guard time != timer?.time else { return }
    if let timer { loop.cancel(timer.id) }
    timer = nil
    guard let time else { return }
    let now = loop.now
    let id = loop.after(time > now ? time - now : 0) { [weak self] in
      self?.timer = nil
      self?.action()
    }
    timer = (id, time)
  }
}
