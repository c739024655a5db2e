// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusMedia
internal import ApusSamples
internal import HLS
internal import ISOBMFF

/// A media playlist together with measurements of its segments.
struct MeasuredPlaylist: Sendable {
  enum Role: Hashable, Sendable { case variant, sound, subtitles, keyFrames }

  /// The path from the folder of the playlist that is checked.
  let path: String
  /// The playlist to which the names in it are relative: where redirections led, if there were any.
  let base: String
  let role: Role
  let playlist: MediaPlaylist
  /// The text of the playlist as written.
  let text: String
  /// The measured segments; `nil` for one that cannot be read.
  private(set) var segments: [MeasuredSegment?] = []
  /// The segments that cannot be read, and the reasons.
  private(set) var failures: [(segment: Int, reason: String)] = []
  /// The parts of each segment, followed by those of the incomplete segment; `nil` for one that cannot be read.
  private(set) var parts: [[MeasuredSegment?]] = []
  /// The parts that cannot be read, and the reasons.
  private(set) var partFailures: [(segment: Int, reason: String)] = []
  /// The facts about the tracks of each header, in the order in which segments need the headers.
  private(set) var facts: [EntryFacts] = []
  private var headers: Set<MediaPlaylist.Header> = []
  private(set) var kind: FileKind?
  /// The text of segments of subtitles.
  private(set) var titles: [String] = []

  init(
    path: String, base: String, role: Role, _ bytes: [UInt8], options: MediaInput.Options,
    measures: Bool,
    _ opener: @escaping JoinedSource.Opener
  ) throws {
    self.path = path
    self.base = base
    self.role = role
    text = String(decoding: bytes, as: UTF8.self)
    guard case .media(let playlist) = try Playlist(reading: bytes) else {
      throw MediaError(.invalid, of: .part(path), "names variants instead of segments")
    }
    self.playlist = playlist
    guard measures else {
      segments = playlist.segments.map { _ in nil }
      parts = segmentsWithParts.map { $0.parts.map { _ in nil } }
      return
    }
    var ends: [String: Int] = [:]
    for (index, segment) in playlist.segments.enumerated() {
      do {
        segments.append(try measure(segment, &ends, options, opener))
      } catch {
        segments.append(nil)
        failures.append((index, MediaError(error).message))
      }
    }
    ends = [:]
    for (index, segment) in segmentsWithParts.enumerated() {
      parts.append(
        segment.parts.map { part in
          do {
            return try measure(part.segment(in: segment), &ends, options, opener)
          } catch {
            partFailures.append((index, MediaError(error).message))
            return nil
          }
        })
    }
  }

  /// All segments, including the incomplete one.
  var segmentsWithParts: [MediaPlaylist.Segment] {
    playlist.segments + [playlist.growing].compactMap(\.self)
  }

  private mutating func measure(
    _ segment: MediaPlaylist.Segment, _ ends: inout [String: Int], _ options: MediaInput.Options,
    _ opener: @escaping JoinedSource.Opener
  ) throws -> MeasuredSegment? {
    guard !segment.isGap, segment.encryption == nil else { return nil }
    let name = try PlaylistPath.resolved(segment.name, in: base)
    var range: Range<Int>?
    if let declared = segment.range {
      let start = declared.start ?? ends[name] ?? 0
      let (end, overflow) = start.addingReportingOverflow(declared.count)
      guard !overflow else { throw MediaError(.limit, of: .part(name), "is beyond 2^63 bytes") }
      range = start..<end
      ends[name] = end
    }
    let alone = try JoinedSource([(name, range)], opener)
    if role == .subtitles, segment.header == nil, try FileKind(of: alone) != .isoBMFF {
      titles.append(
        String(decoding: try alone.bytes(in: 0..<min(alone.count, 1 << 16)), as: UTF8.self))
      return MeasuredSegment(size: alone.count)
    }
    var joined = alone
    if let header = segment.header {
      let name = try PlaylistPath.resolved(header.name, in: base)
      let start = header.range?.start ?? 0
      let place = header.range.map { start..<start + $0.count }
      if headers.insert(header).inserted {
        let source = try JoinedSource([(name, place)], opener)
        let movie = Movie(try BoxTree(reading: source, limits: options.limits))
        facts += try movie.tracks.map { try EntryFacts($0) }
      }
      joined = try JoinedSource(
        [(name, place), (try PlaylistPath.resolved(segment.name, in: base), range)], opener)
    }
    kind = try kind ?? FileKind(of: joined)
    if role == .subtitles || (!facts.isEmpty && facts.allSatisfy { $0.codec.hasPrefix("stpp") }) {
      let movie = Movie(try BoxTree(reading: joined, limits: options.limits))
      guard let track = movie.tracks.first(where: { $0.sampleEntries.first?.type == "stpp" }) else {
        throw MediaError(.invalid, of: .part("moov"), "has no IMSC1 subtitles (stpp)")
      }
      if facts.isEmpty { facts = [try EntryFacts(track)] }
      return try MeasuredSegment(size: alone.count, ofText: track)
    }
    let media: MediaInput
    do {
      media = try MediaInput.open(joined, options: options)
    } catch {
      // The range of a key frame may also end with that frame, in the middle of the box that holds the other pictures.
      let isCut = role == .keyFrames && alone.count > 8
      guard isCut, try alone.bytes(in: 4..<8).elementsEqual("moof".utf8) else { throw error }
      return MeasuredSegment(size: alone.count)
    }
    if facts.isEmpty { facts = media.source.tracks.map { EntryFacts($0) } }
    var measured = try MeasuredSegment(size: alone.count, media.source)
    // Times of each stream are counted from its own beginning.
    if kind == .mpegTS, let start = try TransportTimes(alone).start { measured.begin(at: start) }
    return measured
  }

  var video: EntryFacts? { facts.first(where: \.isVideo) }

  /// The rates of its segments, computed with the durations in the playlist, because a player knows no others.
  var rates: SegmentRates {
    SegmentRates(
      segments: zip(segments, playlist.segments).compactMap { measured, segment in
        guard let measured, let duration = segment.duration.rounded(to: 1_000_000) else {
          return nil
        }
        return (measured.size, duration)
      })
  }

  var peak: Int { rates.peak(target: playlist.targetDuration) }

  /// The duration of the playlist according to its own entries, in microseconds.
  var length: Int64 {
    playlist.segments.reduce(0) { $0 &+ ($1.duration.rounded(to: 1_000_000) ?? 0) }
  }

  /// Returns the duration of a segment: up to the beginning of the next one, if there is one.
  func duration(of index: Int) -> Int64? {
    guard let segment = segments[index], segment.samples > 0 else { return nil }
    let follows = index + 1 < segments.count && !playlist.segments[index + 1].isDiscontinuous
    guard follows, let next = segments[index + 1], next.samples > 0 else { return segment.duration }
    return next.start - segment.start
  }

  /// Frames per second of all segments together.
  var frameRate: Double? {
    let whole = segments.compactMap(\.self)
    let length = whole.reduce(0) { $0 + $1.duration }
    guard length > 0 else { return nil }
    return Double(whole.reduce(0) { $0 + $1.samples }) * 1_000_000 / Double(length)
  }
}

extension PartialSegment {
  /// Returns the part as if it were a segment.
  fileprivate func segment(in whole: MediaPlaylist.Segment) -> MediaPlaylist.Segment {
    var segment = MediaPlaylist.Segment(name, duration: duration)
    (segment.range, segment.isGap) = (range, isGap)
    (segment.header, segment.encryption) = (whole.header, whole.encryption)
    return segment
  }
}
