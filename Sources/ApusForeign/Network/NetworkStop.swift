// SPDX-License-Identifier: MIT

internal import ApusFFmpeg

/// Ends the reading of an address, from any thread.
public final class NetworkStop: Sendable {
  let interruption: ForeignInterruption

  public init(_ options: NetworkOptions) {
    interruption = ForeignInterruption(patience: options.patience)
  }

  /// Makes the current read, and every later one, throw an error of the kind `.cancelled`.
  public func stop() { interruption.interrupt() }
}
