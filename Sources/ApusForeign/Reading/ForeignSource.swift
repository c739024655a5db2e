// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia
public import ApusSamples
public import HEVC

/// The samples of a container that libavformat reads: Matroska, MPEG transport and program streams, AVI, ASF, Ogg …
///
/// HEVC and AVC from byte streams become NAL units preceded by their lengths, and their parameter sets a configuration
/// record; the ADTS headers of AAC are removed. Times that wrap, jump or are missing are repaired, which is reported in
/// `repairs`. Payloads are in memory as long as their samples exist.
public struct ForeignSource: SampleSource, Sendable {
  /// The tracks that can be carried over, in the order of the container.
  public let tracks: [CodedTrack]
  /// The metadata of the container as a whole.
  public let details: MediaDetails
  /// Warnings for the user, such as tracks that are left out.
  public let warnings: [String]
  private let source: any ByteSource
  private let limits: Limits
  private let frameRate: FrameRate?
  private var cursor: ForeignCursor?
  /// The number of events returned so far.
  private var position = 0

  /// - Parameter frameRate: the frame rate of a bare stream, which overrides its own.
  public init(
    _ source: any ByteSource, frameRate: FrameRate? = nil, limits: Limits = Limits()
  ) throws {
    self.source = source
    self.limits = limits
    self.frameRate = frameRate
    let first = try ForeignCursor(source, frameRate: frameRate, limits: limits)
    tracks = first.tracks
    var details = ForeignDescription.details(first.media)
    details.attachments = first.attachments
    self.details = details
    warnings = first.warnings
  }

  public mutating func next() throws -> SourceEvent? {
    // A copy of this source continues independently from where it was made.
    if cursor == nil || !isKnownUniquelyReferenced(&cursor) {
      let again = try ForeignCursor(source, frameRate: frameRate, limits: limits)
      for _ in 0..<position { _ = try again.next() }
      cursor = again
    }
    position += 1
    return try cursor?.next()
  }

  /// The faults of the samples so far that were repaired, as text; empty before the first sample.
  public var repairs: [String] { cursor?.repairs ?? [] }

  /// The bytes so far that belong to no element of Matroska; empty before the first sample, and for other containers.
  public var unread: [Range<Int>] { cursor?.unread ?? [] }
}
