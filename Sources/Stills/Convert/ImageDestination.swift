// SPDX-License-Identifier: MIT

public import Bytes
public import Files
internal import HEIF
public import HEVC
internal import Media
internal import Synchronization
internal import Threads

/// A HEIC that several pictures go into: what `CGImageDestination` is on Apple's systems.
///
/// Pictures are coded when they are added, each by all workers, and wait in memory. The file appears whole when all
/// that were promised are there, and not at all otherwise. Belongs to one thread at a time.
public final class ImageDestination {
  /// What the pictures are to each other.
  public enum Group: String, Hashable, Sendable, CaseIterable {
    /// Pictures taken one after the other: ISO/IEC 23008-12, 6.8.9.
    case burst
    /// Pictures of which one is to be shown: ISO/IEC 14496-12, 8.18.3.1.
    case alternatives
    /// Pictures shown one after the other: ISO/IEC 23008-12, 7. The first is the picture of the file.
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

  public let path: String
  /// How many pictures were promised.
  public let count: Int
  public let group: Group?
  private let frameRate: FrameRate?
  private let engine: PhotoEngine
  private let onExists: OnExists
  private var photos: [NewPhoto] = []
  private var isFinalized = false
  private let stopping = Stopping()

  private final class Stopping: Sendable {
    let isStopped = Atomic(false)
  }

  /// - Parameters:
  ///   - count: how many pictures will be added.
  ///   - frameRate: of a sequence; 10 pictures a second where it is `nil`.
  ///   - workers: how many threads decode and encode.
  public init(
    _ path: String, count: Int, options: ConvertOptions = ConvertOptions(), group: Group? = nil,
    frameRate: FrameRate? = nil, workers: Int = usableProcessors(), onExists: OnExists = .skip
  ) throws {
    var options = options
    options.format = .heic
    options.images = .primary
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

  /// What abandons the file, from any thread: adding and finalizing throw from then on, and no file appears.
  public var stop: @Sendable () -> Void {
    { [engine, stopping] in
      stopping.isStopped.store(true, ordering: .sequentiallyConsistent)
      engine.stop()
    }
  }

  private func checkStopped() throws {
    guard stopping.isStopped.load(ordering: .sequentiallyConsistent) else { return }
    isFinalized = true
    throw MediaError(.misuse, "\(path) was stopped")
  }

  /// Adds the primary picture of a file; the first that is added is that of the HEIC.
  ///
  /// - Returns: what a person should know; its outputs name no file yet.
  @discardableResult
  public func add(_ photo: String) throws -> PhotoReport {
    let source: any ByteSource
    source = try openInput(photo, limit: engine.options.boxLimits.pipe)
    return try add(source, name: photo)
  }

  /// - Parameter name: what messages call it.
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
    let report = engine.report(
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

  /// Writes the file. Throws, and leaves no file, where there are not as many pictures as were promised.
  ///
  /// - Returns: the path; `nil` where a file was there already and stays.
  public func finalize() throws -> String? {
    guard !isFinalized else { throw MediaError(.misuse, "\(path) is already finalized") }
    try checkStopped()
    isFinalized = true
    guard photos.count == count else {
      throw MediaError(
        .misuse, "\(path) was opened for \(count) pictures, but \(photos.count) were added")
    }
    guard let output = try FileDestination(path, from: nil, onExists: onExists) else { return nil }
    let bytes = try photos.heic(groupedAs: group?.type, frameRate: frameRate)
    try output.write(bytes.span)
    return try output.commit()
  }
}

/// Takes what was coded of one picture.
private final class PhotoCollector: PhotoOutput, PhotoTaker {
  private let taken = Monitor<NewPhoto?>(nil)

  var photo: NewPhoto? { taken.withLock { $0 } }

  func collect(_ photo: NewPhoto) { taken.withLock { $0 = photo } }
  func write(_ bytes: Span<UInt8>) throws {}
  func amend(_ bytes: Span<UInt8>, at offset: Int) throws {}
  func written() throws -> any ByteSource { MemorySource([]) }
  func commit() throws -> String? { "memory" }
}
