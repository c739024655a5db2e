// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusContainers
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples

/// The results of measuring whether this machine can decode a track, and fast enough to play it.
public struct PlaybackMeasure: Sendable {
  /// The answer to a question that may not have been measured.
  public enum Answer: String, Hashable, Sendable, CaseIterable {
    case yes, no, unmeasured
  }

  /// The name of the track: `HEVC video`.
  public var track: String
  /// The name of the decoder: `hevc (libavcodec 59.37.100)`; empty where there is none.
  public var decoder = ""
  /// The answer to whether its first picture, or piece of sound, comes out whole.
  public var isDecodable = Answer.unmeasured
  /// The answer to whether decoding keeps up with playing.
  public var isRealTime = Answer.unmeasured
  /// The number of seconds of the track that were decoded, and the time that took.
  public var played = 0.0
  /// The time in seconds that decoding took.
  public var took = 0.0
  /// The reason why an answer is not yes.
  public var reason = ""

  /// Whether it concerns a photo, which is not played.
  public var isPicture = false

  /// Creates a result without any measurement.
  public init(track: String) { self.track = track }

  /// The longest part of a track that is decoded, in seconds; that much is enough for an answer.
  private static let longest = 10.0
  /// The longest time that is spent on a track, reading included.
  private static let patience = Duration.milliseconds(1800)
  /// The shortest part that counts, in seconds: a shorter one mostly measures the start of decoding.
  private static let shortest = 0.5

  /// Measures the tracks of an input, one after the other, for about two seconds each at most.
  public static func all(of input: MediaInput) throws -> [PlaybackMeasure] {
    var result: [PlaybackMeasure] = []
    for (index, track) in input.source.tracks.enumerated() {
      result.append(try PlaybackMeasure(track, index, of: input.source))
    }
    return result
  }

  private init(_ track: CodedTrack, _ index: Int, of source: any SampleSource & Sendable)
    throws
  {
    self.init(track: track.name)
    guard track.kind == .video || track.kind == .audio else {
      reason = "it is neither pictures nor sound"
      return
    }
    guard let stream = CodedStream(track) else {
      reason = "no decoder is known for it"
      isDecodable = .no
      return
    }
    do throws(MediaError) {
      var player = try TrialDecoder(stream, track)
      decoder = player.name
      try measure(&player, index, source)
    } catch {
      if isDecodable == .yes { isRealTime = .no } else { isDecodable = .no }
      reason = error.description
    }
  }

  private mutating func measure(
    _ player: inout TrialDecoder, _ index: Int, _ source: any SampleSource & Sendable
  ) throws(MediaError) {
    var source = source
    let begin = SuspendingClock.now
    var isOver = false
    while !isOver, SuspendingClock.now - begin < Self.patience, player.played < Self.longest {
      let sample: CodedSample?
      let bytes: [UInt8]
      do {
        sample = try Self.next(of: index, &source, until: begin + Self.patience)
        bytes = try sample?.payload.bytes() ?? []
      } catch {
        throw MediaError(.corrupt, MediaError(error).message)
      }
      let start = SuspendingClock.now
      if let sample {
        try player.decode(sample, bytes)
      } else {
        try player.finish()
        isOver = true
      }
      took += (SuspendingClock.now - start) / .seconds(1)
      if player.count > 0 { isDecodable = .yes }
    }
    played = player.played
    conclude(isOver: isOver)
  }

  private mutating func conclude(isOver: Bool) {
    if isDecodable != .yes {
      isDecodable = isOver ? .no : .unmeasured
      reason = isOver ? "nothing comes out of the decoder" : "its first picture takes too long"
    } else if played < Self.shortest, took < Self.shortest {
      reason = "it is too short to tell"
    } else {
      isRealTime = took <= played ? .yes : .no
      if isRealTime == .no { reason = "decoding is slower than playing" }
    }
  }

  /// - Parameter deadline: the time after which the search among the samples of other tracks ends.
  private static func next(
    of index: Int, _ source: inout any SampleSource & Sendable,
    until deadline: SuspendingClock.Instant
  ) throws -> CodedSample? {
    while SuspendingClock.now < deadline, let event = try source.next() {
      switch event {
      case .sample(let sample) where sample.track == index: return sample
      // Continuing would need another decoder.
      case .format(track: index, _): return nil
      case .sample, .format: continue
      }
    }
    return nil
  }
}
