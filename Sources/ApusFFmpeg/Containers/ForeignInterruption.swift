// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusThreads
internal import CApusFFmpeg
internal import Synchronization

/// Ends the calls of libavformat that wait: when another thread asks for it, or after too long a silence.
public final class ForeignInterruption: Sendable {
  private let isAsked = Monitor(false)
  /// The longest silence, in nanoseconds; `nil` for any.
  private let patience: Int64?
  /// The time at which the current silence has lasted too long.
  private let deadline = Atomic(Int64.max)

  /// - Parameter patience: the longest time for which the other side may send nothing.
  public init(patience: Duration? = nil) { self.patience = patience?.nanoseconds }

  /// Makes the current call, and every later one, end with an error; callable from any thread.
  public func interrupt() { isAsked.change { $0 = true } }

  /// Whether it was interrupted.
  public var isInterrupted: Bool { isAsked.withLock { $0 } }

  /// Waits; returns `false` as soon as it is interrupted.
  public func pause(_ duration: Duration) -> Bool {
    isAsked.wait(until: MonotonicTime.now + duration.nanoseconds) { $0 ? true : nil } == nil
  }

  /// Begins a silence; what comes ends it.
  func wait() {
    guard let patience else { return }
    deadline.store(MonotonicTime.now + patience, ordering: .relaxed)
  }

  /// Whether the current silence has lasted too long.
  var isLate: Bool { MonotonicTime.now > deadline.load(ordering: .relaxed) }

  /// Whether a call must end now.
  var isOver: Bool { isInterrupted || isLate }

  /// The callback by which libavformat asks; this object must exist as long as what has it.
  @unsafe var callback: AVIOInterruptCB {
    unsafe AVIOInterruptCB(
      callback: { opaque in
        let interruption = unsafe opaque.map {
          unsafe Unmanaged<ForeignInterruption>.fromOpaque($0).takeUnretainedValue()
        }
        return interruption?.isOver == true ? 1 : 0
      }, opaque: Unmanaged.passUnretained(self).toOpaque())
  }
}
