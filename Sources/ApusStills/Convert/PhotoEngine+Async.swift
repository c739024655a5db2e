// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusFiles
internal import ApusMedia
internal import Synchronization

/// A photo that was converted in memory.
public struct ConvertedPhoto: Sendable {
  /// The encoded picture, as a complete file.
  public var bytes: [UInt8]
  /// The result of the conversion, with its warnings.
  public var report: PhotoReport
}

extension PhotoEngine {
  /// Converts the primary picture of a file in memory, while the task is suspended. Cancelling the task stops the
  /// conversion, which then throws `CancellationError`; all other errors are of the type `MediaError`.
  ///
  /// - Parameters:
  ///   - options: the options for this photo, if they differ from those of the engine.
  ///   - progress: called by workers, one call at a time.
  public func convert(
    _ photo: any ByteSource, options: ConvertOptions? = nil, name: String = "photo",
    progress: (@Sendable (PhotoProgress) -> Void)? = nil
  ) async throws -> ConvertedPhoto {
    let destination = MemoryDestination()
    var request = PhotoRequest(
      name: name, open: { photo },
      output: { role in role == .primary ? destination : nil })
    request.options = options
    request.progress = progress
    let report = try await finished(request)
    guard !report.outputs.isEmpty else { throw MediaError.nothing(report.warnings) }
    return ConvertedPhoto(bytes: destination.bytes, report: report)
  }

  /// Converts the bytes of one file in memory.
  public func convert(
    _ bytes: [UInt8], options: ConvertOptions? = nil, name: String = "photo",
    progress: (@Sendable (PhotoProgress) -> Void)? = nil
  ) async throws -> ConvertedPhoto {
    try await convert(MemorySource(bytes), options: options, name: name, progress: progress)
  }

  /// Converts the primary picture in several sizes, given as lengths of the longer side, and decodes it only once for
  /// all sizes smaller than the picture; for other sizes, the picture keeps its size.
  ///
  /// - Returns: a photo for each size, in the given order.
  public func convert(
    _ photo: any ByteSource, longestSides: [Int], options: ConvertOptions? = nil,
    name: String = "photo", progress: (@Sendable (PhotoProgress) -> Void)? = nil
  ) async throws -> [ConvertedPhoto] {
    guard let first = longestSides.first else { return [] }
    var sides = [first]
    for side in longestSides where !sides.contains(side) { sides.append(side) }
    let destinations = sides.map { MemoryDestination(name: "\($0)") }
    var request = PhotoRequest(
      name: name, open: { photo },
      output: { [sides] role in
        guard case .part(let side, _) = role else { return nil }
        return sides.firstIndex { "\($0)" == side }.map { destinations[$0] }
      })
    request.options = options
    request.longestSides = sides
    request.progress = progress
    let report = try await finished(request)
    var photos: [ConvertedPhoto] = []
    for side in longestSides {
      var own = report
      own.outputs.removeAll { $0.path != "\(side)" }
      guard let index = sides.firstIndex(of: side), !own.outputs.isEmpty else {
        throw MediaError.nothing(report.warnings)
      }
      photos.append(ConvertedPhoto(bytes: destinations[index].bytes, report: own))
    }
    return photos
  }

  /// Converts a file while the task is suspended. Cancelling the task stops the conversion, and no file appears.
  ///
  /// - Parameter path: the path for the primary picture; if all pictures were requested, the others are stored next to
  ///   it with numbers.
  /// - Returns: the report, with the status converted, salvaged, or skipped because the output exists.
  public func convert(
    _ photo: String, to path: String, options: ConvertOptions? = nil, onExists: OnExists = .skip,
    progress: (@Sendable (PhotoProgress) -> Void)? = nil
  ) async throws -> PhotoReport {
    var request = PhotoRequest(converting: photo, to: path, onExists, options ?? self.options)
    request.progress = progress
    return try await finished(request)
  }

  /// Carries out a request. Throws if the task is cancelled or the engine stopped; the error of a photo that cannot be
  /// converted is in the report.
  public func report(of request: PhotoRequest) async throws(CancellationError) -> PhotoReport {
    let call = PhotoCall()
    let finished = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<PhotoReport?, Never>) in
        call.begin(request, on: scheduler) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      call.cancel(on: scheduler)
    }
    guard let finished else { throw CancellationError() }
    return finished
  }

  /// Carries out requests and yields a report as each file is finished, while workers continue. Dropping the sequence,
  /// or cancelling the task that reads it, stops the remaining work.
  public func reports(
    of requests: some Sequence<PhotoRequest> & Sendable
  ) -> AsyncStream<PhotoReport> {
    AsyncStream { [scheduler] continuation in
      let waiting = Mutex(Array(requests)[...])
      let run = scheduler.start(
        { waiting.withLock { $0.popFirst() }?.reporting { continuation.yield($0) } },
        onEnd: { [self] in withExtendedLifetime(self) { continuation.finish() } })
      guard let run else { return continuation.finish() }
      continuation.onTermination = { _ in scheduler.stop(run) }
    }
  }

  func finished(_ request: PhotoRequest) async throws -> PhotoReport {
    let report = try await report(of: request)
    if let failure = report.failure { throw failure }
    return report
  }
}

extension MediaError {
  /// - Parameter reasons: the reasons why nothing of what was requested is in the input.
  static func nothing(_ reasons: [String]) -> MediaError {
    MediaError(
      .nothing, reasons.isEmpty ? "nothing to convert" : reasons.joined(separator: "; "))
  }
}
