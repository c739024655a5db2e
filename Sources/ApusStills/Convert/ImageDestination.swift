// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusFiles
internal import ApusMedia
internal import ApusThreads
internal import HEIF
public import HEVC

/// A HEIC that receives several pictures, as `CGImageDestination` writes on Apple's systems.
///
/// Each picture is coded by all workers when it is added, and kept in memory. The file appears complete once all
/// announced pictures were added, or not at all. Use an instance from one thread at a time.
public final class ImageDestination {
  /// The relation between the pictures.
  public enum Group: String, Hashable, Sendable, CaseIterable {
    /// Pictures taken in rapid succession: ISO/IEC 23008-12, 6.8.9.
    case burst
    /// Pictures of which only one is to be shown: ISO/IEC 14496-12, 8.18.3.1.
    case alternatives
    /// Pictures shown one after the other: ISO/IEC 23008-12, 7. The first is the primary picture of the file.
    case sequence

    /// The type of the entity group; `nil` for a sequence, which is a track.
    var type: FourCC? {
      switch self {
      case .burst: "brst"
      case .alternatives: "altr"
      case .sequence: nil
      }
    }
  }

  /// The path that the file gets once it is finalized.
  public let path: String
  /// The number of announced pictures.
  public let count: Int
  /// The relation between the pictures; `nil` if they are independent.
  public let group: Group?
  private let frameRate: FrameRate?
  private let engine: PhotoEngine
  private let onExists: OnExists
  private var photos: [NewPhoto] = []
  private var isFinalized = false
  private let stopping = StopFlag()

  /// - Parameters:
  ///   - count: the number of pictures that will be added.
  ///   - frameRate: the frame rate of a sequence; `nil` for 10 pictures per second.
  ///   - workers: the number of threads that decode and encode; `nil` for that of the usable processors.
  public init(
    _ path: String, count: Int, options: ConvertOptions = ConvertOptions(), group: Group? = nil,
    frameRate: FrameRate? = nil, workers: Int? = nil, onExists: OnExists = .skip
  ) throws {
    var options = options
    options.format = .heic
    if options.job == .all { options.job = .primary }
    self.frameRate = group == .sequence ? frameRate ?? FrameRate(10, 1) : nil
    if group == .sequence {
      options.heic.isSingle = true
      options.heic.frameRate = self.frameRate
    }
    self.path = path
    self.count = count
    self.group = group
    self.onExists = onExists
    engine = PhotoEngine(options, workers: workers)
    guard count > 0 else {
      throw MediaError(.misuse, "a HEIC has at least one picture, not \(count)")
    }
  }

  /// A function that abandons the file and may be called from any thread: afterwards, adding and finalizing throw, and
  /// no file appears.
  public var stop: @Sendable () -> Void {
    { [engine, stopping] in
      stopping.stop()
      engine.stop()
    }
  }

  private func checkStopped() throws {
    guard stopping.isStopped else { return }
    isFinalized = true
    throw MediaError(.misuse, "\(path) was stopped")
  }

  /// Adds the primary picture of a file; the first picture added becomes that of the HEIC.
  ///
  /// - Returns: a report with the warnings; its outputs name no file yet.
  @discardableResult
  public func add(_ photo: String) throws -> PhotoReport {
    let source: any ByteSource
    source = try openInput(photo, limit: engine.options.boxLimits.pipe)
    return try add(source, name: photo)
  }

  /// - Parameter name: the name of the photo in messages.
  @discardableResult
  public func add(_ photo: any ByteSource, name: String = "photo") throws
    -> PhotoReport
  {
    guard !isFinalized else { throw MediaError(.misuse, "\(path) is already finalized") }
    guard photos.count < count else {
      isFinalized = true
      throw MediaError(.misuse, "\(path) was opened for \(count) pictures, and this is one more")
    }
    try checkStopped()
    let collector = PhotoCollector()
    let report = engine.reportAndWait(
      of: PhotoRequest(
        name: name, open: { photo },
        output: { role in role == .primary ? collector : nil }))
    try checkStopped()
    guard let coded = collector.photo, report.failure == nil else {
      let failure = report.failure ?? MediaError(.corrupt, "was not encoded")
      throw failure.inside("\(name): ")
    }
    photos.append(coded)
    return report
  }

  /// Writes the file. Throws, and leaves no file, if fewer pictures were added than announced.
  ///
  /// - Returns: the path; `nil` if an existing file was kept.
  public func finalize() throws -> String? {
    guard !isFinalized else { throw MediaError(.misuse, "\(path) is already finalized") }
    try checkStopped()
    isFinalized = true
    guard photos.count == count else {
      throw MediaError(
        .misuse, "\(path) was opened for \(count) pictures, but \(photos.count) were added")
    }
    let output = try FileDestination(path, from: nil, onExists: onExists)
    guard output.existing == nil else { return nil }
    let bytes = try photos.heic(groupedAs: group?.type, frameRate: frameRate)
    try output.write(bytes.span)
    return try output.commit()
  }
}

/// Receives the coded form of one picture.
private final class PhotoCollector: PhotoOutput, PhotoTaker {
  private let taken = Monitor<NewPhoto?>(nil)

  var photo: NewPhoto? { taken.withLock { $0 } }

  func collect(_ photo: NewPhoto) { taken.withLock { $0 = photo } }
  func write(_ bytes: Span<UInt8>) throws {}
  func amend(_ bytes: Span<UInt8>, at offset: Int) throws {}
  func written() throws -> any ByteSource { MemorySource([]) }
  func commit() throws -> String? { "memory" }
}
