// SPDX-License-Identifier: MIT

internal import Synchronization

/// Converts photos, with one set of workers for the tiles of a photo and the photos of a batch.
public final class PhotoEngine: Sendable {
  public let options: ConvertOptions
  public let workers: Int
  private let isStopping = Mutex(false)

  /// - Parameter workers: how many threads decode and encode.
  public init(_ options: ConvertOptions, workers: Int) {
    self.options = options
    self.workers = max(workers, 1)
  }

  /// Takes files from `next` until there are none, or until `stop`. One call of `next` or `report` is made at a
  /// time; reports come in the order in which files are finished.
  public func run(
    next: @escaping @Sendable () -> PhotoRequest?,
    report: @escaping @Sendable (PhotoReport) -> Void
  ) {
    while !isStopping.withLock({ $0 }), let request = next() {
      report(PhotoReport(input: request.name))
    }
  }

  /// Begins no further file and abandons what is in flight: outputs that are not whole vanish, and are reported
  /// by nobody.
  public func stop() { isStopping.withLock { $0 = true } }
}
