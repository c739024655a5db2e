// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
public import ApusMedia

/// Ends the reading of an address, from any thread.
public final class NetworkStop: Sendable {
  let interruption: ForeignInterruption

  public init(_ options: NetworkOptions) {
    interruption = ForeignInterruption(patience: options.patience)
  }

  /// Makes the current read, and every later one, throw an error of the kind `.cancelled`.
  public func stop() { interruption.interrupt() }

  /// Waits; throws an error of the kind `.cancelled` when it is stopped.
  public func wait(_ duration: Duration) throws(MediaError) {
    guard !interruption.pause(duration) else { return }
    throw MediaError(.cancelled, of: .input, "was interrupted")
  }
}
