// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import HEVC

/// Joins inputs into one stream: each begins at a key frame, at the time at which the pictures of the previous one
/// ended, and keeps the offset between picture and sound.
///
/// The tracks of the stream are those of its first input, whose samples remain unchanged.
struct Splice: Sendable {
  let tracks: [CodedTrack]
  /// The track that determines where an input begins and ends.
  private let leader: Int
  /// The current format of each track in the stream.
  private var said: [CodedTrack.Format]
  /// Tracks whose samples contained parameter sets, which may differ from those in the announced format.
  private var inBand: Set<Int> = []
  /// The last decoding time of each track, in nanoseconds.
  private var decoded: [Int: Int64] = [:]
  /// The time at which the last picture ends, in nanoseconds.
  private var end: Int64?
  /// The duration of a picture, in nanoseconds.
  private var step: Int64 = 0

  /// The track of the stream for each track of the input.
  private var places: [Int?]
  /// The formats of the input, by track of the stream.
  private var formats: [CodedTrack.Format]
  /// Tracks whose format may have changed since the last sample.
  private var unsaid: Set<Int> = []
  private var isFirst = true
  /// Milliseconds that are added to the times of the input; `nil` before its first key frame.
  private var shift: Int64? = 0
  /// The time in the stream at which the input begins, in nanoseconds.
  private var start: Int64 = 0
  /// The decoding time of its last picture, by the times of the input.
  private var lastPicture: Int64?
  /// Whether pictures may come that depend on others from before the first key frame.
  private var isOpening = false
  /// Sound before the first key frame.
  private var early: [CodedSample] = []

  /// The lead of sound over the pictures, in nanoseconds, above which it is not merely their remainder.
  private static let tail: Int64 = 1_000_000_000
  /// The time before the first picture, in nanoseconds, from which on sound is kept.
  private static let lead: Int64 = 100_000_000
  private static let millisecond: Int64 = 1_000_000
  private static let mostEarly = 256

  init(_ tracks: [CodedTrack]) {
    self.tracks = tracks
    leader = tracks.firstIndex { $0.kind == .video } ?? 0
    said = tracks.map(\.format)
    formats = said
    places = Array(tracks.indices)
  }

  /// Begins another input, or the same one from its beginning.
  mutating func begin(_ input: [CodedTrack]) throws(MediaError) {
    places = try Self.places(of: input, in: tracks)
    for (track, place) in zip(input, places) {
      guard let place else { continue }
      formats[place] = track.format
      unsaid.insert(place)
    }
    (shift, lastPicture, isFirst) = (nil, nil, false)
    early = []
  }

  /// Returns the track of a stream for each track of an input: the first of a kind for the first, and so on.
  static func places(of input: [CodedTrack], in tracks: [CodedTrack]) throws(MediaError) -> [Int?] {
    var left = Array(tracks.indices)
    var places: [Int?] = []
    for track in input {
      let place = left.firstIndex { tracks[$0].kind == track.kind }.map { left.remove(at: $0) }
      if let place, tracks[place].format.codec != track.format.codec {
        throw MediaError(
          .unsupported,
          "its \(track.name) cannot follow \(tracks[place].name) in one stream", remedy: .coding)
      }
      places.append(place)
    }
    let leader = tracks.firstIndex { $0.kind == .video } ?? 0
    guard left.contains(leader) else { return places }
    throw MediaError(.unsupported, "it has no \(tracks[leader].name), which the stream has")
  }

  /// Returns the events of the stream for an event of the input.
  mutating func add(_ event: SourceEvent) throws -> [SourceEvent] {
    switch event {
    case .format(let track, let format):
      guard let place = places[track] else { return [] }
      formats[place] = format
      unsaid.insert(place)
      return []
    case .sample(var sample):
      guard let place = places[sample.track] else { return [] }
      sample.track = place
      if shift != nil { return try placed(sample) }
      guard place == leader else {
        if early.count == Self.mostEarly { early.removeFirst() }
        early.append(sample)
        return []
      }
      guard sample.isSync else { return [] }
      try open(with: &sample)
      var events: [SourceEvent] = []
      for sound in early { events += try placed(sound) }
      early = []
      return try events + placed(sample)
    }
  }

  // MARK: Where an input begins

  private mutating func open(with sample: inout CodedSample) throws {
    let (decode, shown) = (try time(sample.decodeTime), try time(sample.presentationTime))
    var move: Int64 = 0
    if let last = decoded[leader], let end {
      // Pictures continue without a gap if none is shown before the key frame.
      move = end - shown
      if mayBeLed(sample) { move = max(move, last + max(step, Self.millisecond) - decode) }
      // Sound that is much longer than the pictures is played to its end.
      let sound = decoded.values.max() ?? last
      if sound - last - step > Self.tail { move += sound - last - step }
    }
    let milliseconds =
      (move + (move < 0 ? -Self.millisecond : Self.millisecond) / 2)
      / Self.millisecond
    shift = milliseconds
    start = shown + milliseconds * Self.millisecond
    isOpening = true
    sample = try BrokenLink.opening(sample, formats[leader])
  }

  /// Returns whether pictures may follow that are shown before this key frame and can be decoded.
  private func mayBeLed(_ sample: CodedSample) -> Bool {
    units(of: sample).contains { $0 == .idrWRADL || $0 == .blaWRADL || $0 == .cra }
  }

  // MARK: Samples

  /// Returns nothing for sound that overlaps the previous input, or for a picture that cannot be decoded.
  private mutating func placed(_ sample: CodedSample) throws -> [SourceEvent] {
    var sample = sample
    guard let shift, let moved = sample.decodeTime.moved(by: shift),
      let shownMoved = sample.presentationTime.moved(by: shift)
    else { throw tooFar(sample.decodeTime) }
    let original = try time(sample.decodeTime)
    (sample.decodeTime, sample.presentationTime) = (moved, shownMoved)
    var decode = try time(moved)
    let before = decoded[sample.track]
    if sample.track == leader {
      guard try isDecodable(sample) else { return [] }
      let shown = try time(shownMoved)
      if !isFirst, let before, decode <= before {
        // Decoding precedes presentation by more than in the previous input.
        decode = max(before, min(before + Self.millisecond, shown))
        sample.decodeTime = RationalTime(decode, per: 1_000_000_000)
      }
      if let lastPicture, original > lastPicture { step = original - lastPicture }
      if let length = sample.duration?.nanoseconds, (1...1 << 61).contains(length) { step = length }
      lastPicture = original
      end = max(end ?? .min, shown + max(step, Self.millisecond))
    } else if !isFirst {
      // Times of a stream are whole milliseconds, and differ within a track.
      let earliest = before.map { $0 + Self.millisecond } ?? .min
      guard decode >= max(earliest, start - Self.lead) else { return [] }
    }
    decoded[sample.track] = max(decode, before ?? decode)
    let isSaid = !unsaid.contains(sample.track)
    let events: [SourceEvent] = try isSaid ? [] : format(of: sample.track)
    if sample.isSync, hasSets(sample) { inBand.insert(sample.track) }
    return events + [.sample(sample)]
  }

  private mutating func format(of track: Int) throws -> [SourceEvent] {
    unsaid.remove(track)
    let isSame = try formats[track].isSame(as: said[track])
    guard inBand.remove(track) != nil || !isSame else { return [] }
    said[track] = formats[track]
    return [.format(track: track, formats[track])]
  }

  /// Returns whether a sample can be decoded: leading pictures of the first key frame may refer to pictures before it.
  private mutating func isDecodable(_ sample: CodedSample) throws -> Bool {
    guard isOpening, !sample.isSync, case .hevc = formats[leader] else { return true }
    let bytes = try sample.payload.bytes()
    let role = ReferenceRole(hevc: bytes.span, lengthSize: formats[leader].lengthSize)
    if role?.kind == .trailing { isOpening = false }
    return role?.kind != .rasl
  }

  private func hasSets(_ sample: CodedSample) -> Bool {
    switch formats[sample.track] {
    case .hevc: units(of: sample).contains(where: \.isParameterSet)
    case .avc:
      heads(of: sample).contains { [.sps, .pps].contains(AVCNALUnitType(firstByte: $0)) }
    case .aac, .other: false
    }
  }

  private func units(of sample: CodedSample) -> [NALUnitType] {
    guard case .hevc = formats[sample.track] else { return [] }
    return heads(of: sample).map { NALUnitType(firstByte: $0) }
  }

  /// Returns the first bytes of the NAL units; none for a damaged sample, which is left to the decoder.
  private func heads(of sample: CodedSample) -> [UInt8] {
    let size = formats[sample.track].lengthSize
    do {
      return try LengthPrefixed.heads(in: sample.payload, lengthSize: size).map(\.first)
    } catch {
      return []
    }
  }

  // MARK: Times

  private func time(_ time: RationalTime) throws -> Int64 {
    guard let nanoseconds = time.nanoseconds, nanoseconds.magnitude < 1 << 60 else {
      throw tooFar(time)
    }
    return nanoseconds
  }

  private func tooFar(_ time: RationalTime) -> MediaError {
    MediaError(
      .invalid, of: .part("decoding time"), "of \(time.value)/\(time.timescale) s is too far away")
  }
}
