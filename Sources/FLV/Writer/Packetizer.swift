// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia
internal import HEVC

/// Makes tags from coded frames: configurations and metadata first, then each frame with its times in milliseconds, and
/// new configurations when parameter sets change.
public struct Packetizer: Sendable {
  /// The options of the tags.
  public struct Options: Sendable {
    /// The dialect of HEVC; without one HEVC is refused, because a receiver that knows only Adobe's codecs accepts it
    /// silently and shows nothing.
    public var dialect: HEVCDialect?
    /// Whether parameter sets in frames are kept there if the configuration holds them.
    public var keepsInBandSets = true
    /// Further members of `onMetaData`, which take precedence over those that follow from the tracks.
    public var metadata = AMFObject()
    /// Whether presentation times get their nanoseconds (`ModEx`), which only some receivers understand.
    public var writesNanoseconds = false

    public init() {}
  }

  /// The video tracks, with their current configurations.
  public internal(set) var video: [VideoTrack]
  /// The audio tracks, with their current configurations.
  public internal(set) var audio: [AudioTrack]
  /// The options as passed to `init`.
  public let options: Options
  /// Milliseconds that are added to all times, so that none is below 0.
  public private(set) var shift: Int64 = 0

  var trackers: [UInt8: ParameterSetTracker] = [:]
  private var last: [Key: Int64] = [:]
  private(set) var lastTime: Int64 = 0
  /// Returns the time of the last frame of a medium: sound may be ahead of the pictures that follow.
  func lastTime(of media: Frame.Media) -> Int64 {
    last.filter { $0.key.media == media }.values.max() ?? lastTime
  }

  private struct Key: Hashable {
    var media: Frame.Media
    var trackID: UInt8
  }

  /// Creates a packetizer for these tracks; throws for tracks or options that FLV cannot express.
  public init(video: [VideoTrack], audio: [AudioTrack], options: Options = Options())
    throws(SyntaxError)
  {
    self.video = video
    self.audio = audio
    self.options = options
    for track in video {
      guard case .hevc(let record) = track.format else { continue }
      guard options.dialect != nil else {
        throw Self.refusal(
          "dialect", "is not chosen: HEVC needs enhanced (hvc1) or legacy (codec id 12)")
      }
      trackers[track.id] = ParameterSetTracker(record.withoutUserData())
    }
    let ids = video.map(\.id)
    guard Set(ids).count == ids.count, Set(audio.map(\.id)).count == audio.count else {
      throw Self.refusal("track id", "is used for two tracks")
    }
    guard options.dialect != .legacy || ids.allSatisfy({ $0 == 0 }) else {
      throw Self.refusal("track id", "is not 0, and the legacy dialect has one video track only")
    }
  }

  static func refusal(_ field: String, _ detail: String) -> SyntaxError {
    SyntaxError(.misuse, field: field, detail: detail)
  }

  /// Returns the tags before the frames: metadata, colours, configurations.
  ///
  /// - Parameter earliest: the lowest decoding time of all tracks. If it is below 0, all times are shifted.
  public mutating func start(earliest: RationalTime = .milliseconds(0)) throws(SyntaxError)
    -> [OutgoingTag]
  {
    shift = max(0, -(try milliseconds(earliest)))
    var tags = [try OutgoingTag(metadata(), time: 0)]
    for track in video { tags += try configuration(of: track, at: 0) }
    for track in audio { tags += try configuration(of: track, at: 0) }
    return tags
  }

  /// Returns the tag of the frame, preceded by tags for changes.
  public mutating func add(_ frame: Frame) throws(SyntaxError) -> [OutgoingTag] {
    let time = try decodeTime(of: frame)
    lastTime = max(lastTime, time)
    switch frame.media {
    case .video:
      guard let track = video.first(where: { $0.id == frame.trackID }) else { throw unknown(frame) }
      return try tags(of: frame, track, at: time)
    case .audio:
      guard let track = audio.first(where: { $0.id == frame.trackID }) else { throw unknown(frame) }
      return [try tag(of: frame, track, at: time)]
    }
  }

  /// Returns the tag that another packetizer with the same options has made of a frame, with the time of this one.
  ///
  /// This is valid for frames that do not change the configuration, which key frames may.
  public mutating func add(_ frame: Frame, madeInto tag: OutgoingTag) throws(SyntaxError)
    -> OutgoingTag
  {
    var tag = tag
    tag.time = try decodeTime(of: frame)
    lastTime = max(lastTime, tag.time)
    return tag
  }

  /// Returns the end of each video track.
  public mutating func finish() throws(SyntaxError) -> [OutgoingTag] {
    try video.map { track throws(SyntaxError) in try end(of: track, at: lastTime) }
  }

  private func unknown(_ frame: Frame) -> SyntaxError {
    Self.refusal("track", "\(frame.trackID) was not announced")
  }

  // MARK: - Times

  /// Returns the decoding time. Each time is rounded separately, so that the difference of rounded times is the same in
  /// every rendition.
  private mutating func decodeTime(of frame: Frame) throws(SyntaxError) -> Int64 {
    let time = try milliseconds(frame.decodeTime) + shift
    let key = Key(media: frame.media, trackID: frame.trackID)
    let before = last[key] ?? 0
    guard time >= before else {
      throw Self.refusal(
        "decoding time",
        "of \(time) ms is before \(before) ms in \(frame.media) track \(frame.trackID)")
    }
    last[key] = time
    return time
  }

  func milliseconds(_ time: RationalTime) throws(SyntaxError) -> Int64 {
    guard let result = time.rounded(to: 1000), result.magnitude < 1 << 60 else {
      throw Self.refusal("time", "of \(time.value)/\(time.timescale) s is out of range")
    }
    return result
  }

  /// Returns the milliseconds from decoding to presentation, and the additional nanoseconds if requested.
  func compositionTime(of frame: Frame, decodedAt time: Int64) throws(SyntaxError)
    -> (offset: Int32, nanoseconds: UInt32)
  {
    var presentation = try milliseconds(frame.presentationTime) + shift
    var nanoseconds: UInt32 = 0
    if options.writesNanoseconds, let exact = frame.presentationTime.floored(to: 1_000_000_000) {
      let (quotient, remainder) = exact.quotientAndRemainder(dividingBy: 1_000_000)
      presentation = quotient - (remainder < 0 ? 1 : 0) + shift
      nanoseconds = UInt32(clamping: remainder < 0 ? remainder + 1_000_000 : remainder)
    }
    let offset = presentation - time
    guard (-0x80_0000...0x7f_ffff).contains(offset) else {
      throw Self.refusal(
        "presentation time", "lies \(offset) ms from the decoding time, beyond 24 bits")
    }
    return (Int32(offset), nanoseconds)
  }
}
