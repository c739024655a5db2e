// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import HEVC
internal import ISOBMFF

/// The tracks of a movie that can be read, opened one after the other.
struct MovieTracks {
  private(set) var tracks: [CodedTrack] = []
  var readers: [MovieTrackReader] = []
  /// The ID of each track.
  private(set) var trackIDs: [UInt32] = []
  /// The index of each track, by its ID.
  private(set) var places: [UInt32: Int] = [:]
  /// The tracks that are left out, and the faults of the others.
  private(set) var warnings: [String] = []
  /// The places of all samples in the file.
  private(set) var coverage = MediaCoverage()
  /// Whether there are tracks whose samples are unknown.
  private(set) var isIncomplete = false
  /// The boxes with the references of each track.
  private var references: [[LocatedNode]] = []
  /// The number of bytes in all samples; those that overlap count each time.
  private var bytes = 0
  private let headers = HeadersReader()
  private let source: any ByteSource
  private let limits: Limits
  private let isSalvaging: Bool
  private let isChosen: Bool
  private let chapterTracks: Set<UInt32>

  /// - Parameters:
  ///   - capacity: the maximum number of tracks.
  ///   - isSalvaging: whether a track ends before the first sample that is damaged.
  ///   - isChosen: whether a single track was chosen, which may then also be a picture track.
  ///   - chapterTracks: the IDs of the tracks that others refer to for their chapters.
  init(
    in source: any ByteSource, _ limits: Limits, capacity: Int, isSalvaging: Bool, isChosen: Bool,
    chapterTracks: Set<UInt32>
  ) {
    self.source = source
    self.limits = limits
    self.isSalvaging = isSalvaging
    self.isChosen = isChosen
    self.chapterTracks = chapterTracks
    tracks.reserveCapacity(capacity)
    readers.reserveCapacity(capacity)
  }

  /// Opens the next track, unless it is left out with a warning.
  mutating func open(_ track: Track) throws {
    let kind = Self.kind(
      of: track, isChapters: chapterTracks.contains(track.id), isChosen: isChosen)
    let opened: OpenedMovieTrack
    do {
      opened = try OpenedMovieTrack(
        track, kind, in: source, headers: headers,
        isSalvaging: isSalvaging)
    } catch {
      let error = MediaError(error)
      guard kind != .video, kind != .audio, error.kind != .io else { throw error }
      let handler = track.handler.map { "\($0)" } ?? "without a handler"
      warnings.append("\(track.path) (\(handler)) is left out: \(error.message)")
      isIncomplete = true
      return
    }
    warnings += opened.warnings
    bytes += opened.bytes
    coverage.add(opened.coverage)
    try Self.check(bytes, of: track, in: source, limits)
    guard let samples = opened.samples else {
      warnings.append("\(track.path) has no samples and is left out")
      return
    }
    places[track.id] = readers.count
    trackIDs.append(track.id)
    references.append(track.located.child("tref")?.children ?? [])
    tracks.append(opened.track)
    readers.append(samples)
  }

  /// Sets the references of each track to the others, once all are open.
  mutating func resolveReferences() {
    for index in tracks.indices {
      tracks[index].details.references = references[index].compactMap { node in
        guard let ids = node.box(TrackReference.self)?.trackIDs else { return nil }
        let found = ids.compactMap { places[$0] }
        return found.isEmpty ? nil : (node.node.type, found)
      }
    }
  }

  /// Throws if samples overlap so often that a small file would become a very large one.
  private static func check(
    _ bytes: Int, of track: Track, in source: any ByteSource, _ limits: Limits
  ) throws {
    let (most, overflow) = source.count.multipliedReportingOverflow(by: max(1, limits.growth))
    guard !overflow, bytes > most else { return }
    throw SyntaxError(
      .limit, field: "samples", path: track.path, offset: track.located.node.start,
      detail:
        "overlap: together they have \(bytes) bytes in a file of \(source.count), more than the limit growth "
        + "of \(limits.growth) times")
  }

  private static func kind(of track: Track, isChapters: Bool, isChosen: Bool) -> CodedTrack.Kind {
    switch track.handler {
    case "vide" where !isChapters || isChosen: .video
    case "pict" where isChosen, "auxv" where isChosen: .video
    case "soun": .audio
    case "text" where !isChapters: .subtitle
    case "sbtl", "subt", "clcp", "subp": .subtitle
    case "tmcd": .timecode
    default: .data
    }
  }
}
