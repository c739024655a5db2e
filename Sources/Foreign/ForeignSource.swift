// SPDX-License-Identifier: MIT

public import Bytes
public import Flow
public import HEVC
internal import Media

/// The samples of a container that libavformat reads: Matroska, MPEG transport and program streams, AVI, ASF, Ogg …
///
/// HEVC and AVC from byte streams become NAL units with lengths before them, their parameter sets a configuration
/// record; AAC loses its own headers. Times that wrap, jump or are missing are made good, which `repairs` tells.
/// Payloads are in memory for as long as their samples are.
public struct ForeignSource: SampleSource, Sendable {
  public let tracks: [CodedTrack]
  public let details: MediaDetails
  public let warnings: [String]
  private let source: any ByteSource
  private let limits: Limits
  private let frameRate: FrameRate?
  private var cursor: ForeignCursor?
  /// How many events were handed over.
  private var position = 0

  /// - Parameter frameRate: of a bare stream, whatever it says itself.
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
    // A copy of this source goes its own way from where it was made.
    if cursor == nil || !isKnownUniquelyReferenced(&cursor) {
      let again = try ForeignCursor(source, frameRate: frameRate, limits: limits)
      for _ in 0..<position { _ = try again.next() }
      cursor = again
    }
    position += 1
    return try cursor?.next()
  }

  public var repairs: [String] { cursor?.repairs ?? [] }
}
