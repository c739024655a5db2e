// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusFFmpeg
public import ApusMedia
public import ApusSamples

/// The samples of a container that is read as it comes, such as a live MPEG transport stream. It is read once; copies share
/// what comes.
public struct ForeignLiveSource: SampleSource, Sendable {
  /// The tracks that were known when the stream was opened.
  public let tracks: [CodedTrack]
  /// The metadata of the stream as a whole.
  public let details: MediaDetails
  /// Warnings for the user about the beginning of the stream.
  public let warnings: [String]
  private let cursor: ForeignCursor

  /// - Parameter pull: waits for the next bytes and returns them; returns `nil` at the end.
  public init(
    _ pull: @escaping @Sendable () throws(MediaError) -> [UInt8]?, limits: Limits = Limits()
  ) throws {
    let media: ForeignMedia
    do throws(MediaError) {
      media = try ForeignMedia(ForeignBytes(pulling: pull))
    } catch {
      throw error.kind == .io ? error : MediaError(error.kind, of: .input, error.message)
    }
    try self.init(media, limits)
  }

  /// Connects to a camera with `rtsp://` or `rtsps://`, or listens for `rtp://`.
  public init(
    _ address: NetworkAddress, _ options: NetworkOptions, _ stop: NetworkStop,
    limits: Limits = Limits()
  ) throws {
    let isRTP = address.scheme == .rtp
    guard address.scheme != .rtsps || !options.checksCertificates else {
      throw MediaError(
        .unsupported, "libavformat cannot check the certificates of rtsps://")
    }
    var tags = options.tags(isRTP ? "rtp,udp" : "rtsp,rtsps,rtp,tcp,tls,udp")
    // Over TCP nothing is lost, and no firewall is in the way.
    if !isRTP { tags.append(ForeignTag(name: "rtsp_transport", value: "tcp")) }
    let location = ForeignLocation(
      address.url, format: isRTP ? "rtp" : "rtsp", options: tags, stop.interruption)
    try self.init(ForeignMedia(at: location), limits)
  }

  private init(_ media: ForeignMedia, _ limits: Limits) throws {
    cursor = try ForeignCursor(media, frameRate: nil, limits: limits, isLive: true)
    tracks = cursor.tracks
    details = ForeignDescription.details(cursor.media)
    warnings = cursor.warnings
  }

  public mutating func next() throws -> SourceEvent? { try cursor.next() }

  /// The faults of the samples so far that were repaired, as text.
  public var repairs: [String] { cursor.repairs }
}
