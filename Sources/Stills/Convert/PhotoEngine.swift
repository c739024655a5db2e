// SPDX-License-Identifier: MIT

/// Converts photos, with one set of workers for the tiles of a photo, the photos of a batch, and all callers.
///
/// An engine may be shared: any number of threads and tasks may call it at the same time, and it works on no more photos
/// than it has workers. The others wait, and each can be stopped by itself. What workers keep, such as decoders, is kept
/// from call to call, until the engine is freed.
public final class PhotoEngine: Sendable {
  public let options: ConvertOptions
  public let workers: Int
  let scheduler: PhotoScheduler

  /// - Parameter workers: how many threads decode and encode.
  public init(_ options: ConvertOptions, workers: Int) {
    self.options = options
    self.workers = max(workers, 1)
    scheduler = PhotoScheduler(options, count: self.workers)
  }

  deinit { scheduler.close() }

  /// Takes files from `next` until there are none, or until `stop`, and returns when the last is reported. One call of
  /// `next` or `report` of a run is made at a time; reports come in the order in which files are finished.
  public func run(
    next: @escaping @Sendable () -> PhotoRequest?,
    report: @escaping @Sendable (PhotoReport) -> Void
  ) {
    run { next()?.reporting(to: report) }
  }

  /// The same for requests each of which knows what reads its report.
  func run(_ next: @escaping @Sendable () -> PhotoRequest?) { scheduler.run(next) }

  /// Ends every call that is under way: begins no further file and abandons what is in flight. Outputs that are not
  /// whole vanish, and are not reported.
  public func stop() { scheduler.stop() }

  /// Lets go of the decoders and encoders that are kept for the next call.
  public func releaseMemory() { scheduler.releaseIdleWorkers() }
}
