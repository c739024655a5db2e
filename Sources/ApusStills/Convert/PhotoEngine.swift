// SPDX-License-Identifier: MIT

/// Converts photos, with one set of workers for the tiles of a photo, the photos of a batch, and all callers.
///
/// An engine may be shared: any number of threads and tasks may call it at the same time, and it processes at most as
/// many photos as it has workers. The others wait, and each can be stopped individually. Workers keep resources such as
/// decoders from call to call, until the engine is freed.
public final class PhotoEngine: Sendable {
  /// The options for requests without options.
  public let options: ConvertOptions
  /// The number of threads that decode and encode, at least 1.
  public let workers: Int
  let scheduler: PhotoScheduler

  /// - Parameter workers: the number of threads that decode and encode; `nil` for that of the usable processors.
  public init(_ options: ConvertOptions = ConvertOptions(), workers: Int? = nil) {
    self.options = options
    self.workers = max(workers ?? usableProcessors(), 1)
    scheduler = PhotoScheduler(options, count: self.workers)
  }

  deinit { scheduler.close() }

  /// Converts the files that `next` returns until it returns `nil`, or until `stop`, and returns once the last is
  /// reported. Within a run, calls of `next` and `report` do not overlap; reports arrive in the order in which files
  /// are finished.
  public func run(
    next: @escaping @Sendable () -> PhotoRequest?,
    report: @escaping @Sendable (PhotoReport) -> Void
  ) {
    run { next()?.reporting(to: report) }
  }

  /// Carries out requests, each of which knows the receiver of its report.
  func run(_ next: @escaping @Sendable () -> PhotoRequest?) { scheduler.run(next) }

  /// Ends every call in progress: begins no further file and abandons those being converted. Incomplete outputs are
  /// deleted and not reported.
  public func stop() { scheduler.stop() }

  /// Frees the decoders and encoders that are kept for the next call.
  public func releaseMemory() { scheduler.releaseIdleWorkers() }
}
