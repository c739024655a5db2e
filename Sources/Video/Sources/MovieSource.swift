// SPDX-License-Identifier: MIT

public import Bytes
internal import HEVC
internal import ISOBMFF
public import Media

/// The samples of an MP4 or QuickTime file, fragmented or not: ISO/IEC 14496-12. Payloads stay in the file.
///
/// Times are those of the presentation: edit lists are applied, and decoding times stand as far ahead as
/// negative composition offsets ask for. No sample is left out for an edit; those before its beginning have
/// times below 0.
public struct MovieSource: SampleSource, Sendable {
  public private(set) var tracks: [CodedTrack]
  public private(set) var details: MediaDetails
  /// What is left out, and why.
  public let warnings: [String]
  private var readers: [MovieTrackReader] = []
  /// Of each track.
  private(set) var trackIDs: [UInt32] = []

  /// - Parameters:
  ///   - isSalvaging: whether a track ends where the file is damaged, instead of the file being refused.
  ///   - chosen: the ID of the only track that is taken, which may then be of pictures, too.
  public init(
    _ source: any ByteSource, limits: Limits = Limits(), isSalvaging: Bool = false,
    track chosen: UInt32? = nil
  ) throws(SyntaxError) {
    let tree = try BoxTree(reading: source, limits: limits)
    let movie = Movie(tree)
    guard let moov = tree.located.first(where: { $0.node.type == "moov" }), !movie.tracks.isEmpty
    else {
      let isSegment = tree.boxes.contains { $0.type == "moof" }
      throw SyntaxError(
        .unsupported, field: "moov", offset: 0,
        detail: isSegment
          ? "is missing: this is a segment, which goes behind its initialization segment in one file"
          : isSalvaging && tree.boxes.contains { $0.type == "mdat" }
            ? "is missing: it would have stood behind the media data, which mean nothing without it"
            : "is missing, or has no tracks")
    }
    if let chosen, !movie.tracks.contains(where: { $0.id == chosen }) {
      let ids = movie.tracks.map { "\($0.id)" }.joined(separator: ", ")
      throw SyntaxError(
        .misuse, field: "track \(chosen)", offset: 0, detail: "is not in the file, which has \(ids)"
      )
    }
    let brands = tree.located.first { $0.node.type == "ftyp" }?.box(FileType.self)
    let isQuickTime = brands.map { $0.majorBrand == "qt  " } ?? true
    var warnings = isSalvaging ? Self.cuts(in: tree) : []
    var places: [UInt32: Int] = [:]
    var references: [[LocatedNode]] = []
    let chapterTracks = Set(movie.tracks.flatMap { $0.references(of: "chap") })
    for track in movie.tracks where chosen == nil || track.id == chosen {
      let kind = Self.kind(
        of: track, isChapters: chapterTracks.contains(track.id), isChosen: chosen != nil)
      let opened: MovieTrackReader
      do throws(SyntaxError) {
        opened = try MovieTrackReader(
          track, kind, in: source, isQuickTime: isQuickTime, isSalvaging: isSalvaging)
      } catch {
        guard kind != .video, kind != .audio, error.kind != .io else { throw error }
        let handler = track.handler.map { "\($0)" } ?? "without a handler"
        warnings.append("\(track.path) (\(handler)) is left out: \(error.message)")
        continue
      }
      warnings += opened.warnings
      guard opened.hasSamples else {
        warnings.append("\(track.path) has no samples and is left out")
        continue
      }
      places[track.id] = readers.count
      trackIDs.append(track.id)
      references.append(track.located.child("tref")?.children ?? [])
      readers.append(opened)
    }
    guard readers.contains(where: { $0.track.kind == .video || $0.track.kind == .audio }) else {
      let isHeader =
        moov.child("mvex") != nil && !tree.boxes.contains { $0.type == "moof" }
      throw SyntaxError(
        .unsupported, field: "moov", offset: 0,
        detail: isHeader
          ? "has no samples: this is an initialization segment, behind which its segments go in one file"
          : "has no video or audio with samples")
    }
    details = try MediaDetails(moov)
    warnings += details.refused.map { "\($0) points into the file and is left out" }
    tracks = readers.map(\.track)
    self.warnings = warnings
    for index in tracks.indices {
      tracks[index].details.references = references[index].compactMap { node in
        guard let ids = node.box(TrackReference.self)?.trackIDs else { return nil }
        let found = ids.compactMap { places[$0] }
        return found.isEmpty ? nil : (node.node.type, found)
      }
    }
    if let place = movie.tracks.first(where: {
      chapterTracks.contains($0.id) && $0.handler == "text"
    })
    .flatMap({ places[$0.id] }) {
      details.chapters = try ChapterTrack.chapters(of: readers[place])
    }
    for index in readers.indices { try readers[index].advance() }
  }

  /// What the end of the file cuts.
  private static func cuts(in tree: BoxTree) -> [String] {
    tree.boxes.compactMap { node in
      if let size = node.header.declaredSize {
        let count = node.extent?.count ?? 0
        return "\(node.type) at byte \(node.start) is cut: \(count) of \(size) bytes are there"
      }
      guard node.isJunk, let count = node.extent?.count, count > 0 else { return nil }
      return "\(count) bytes at byte \(node.start) are no box and are left out"
    }
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

  /// Passes over what lies before the last key frame that is shown no later than a time. The tables tell which
  /// that is, and its NAL units that it is one; no other sample is looked at.
  public mutating func begin(at start: RationalTime) throws(SyntaxError) {
    let leader =
      tracks.firstIndex { $0.kind == .video } ?? tracks.firstIndex { $0.kind == .audio } ?? 0
    for index in tracks.indices { tracks[index].details.movie?.edits = nil }
    guard let first = try readers[leader].keyFrame(before: start) else { return }
    // Sound and titles begin with the picture, which may be decoded long before it is shown.
    for index in readers.indices {
      try readers[index].skip(to: tracks[index].kind == .video ? first.decoded : first.shown)
    }
  }

  public mutating func next() throws(SyntaxError) -> SourceEvent? {
    // By place, for a copy of a reader costs more than a sample.
    var earliest: (index: Int, time: RationalTime)?
    for index in readers.indices {
      guard let time = readers[index].time else { continue }
      if let chosen = earliest?.time, !time.isBefore(chosen) { continue }
      earliest = (index, time)
    }
    guard let index = earliest?.index else { return nil }
    return try readers[index].take(as: index)
  }
}

extension Track {
  /// The tracks that it refers to for a purpose.
  fileprivate func references(of type: FourCC) -> [UInt32] {
    located.child("tref")?.children(of: type).flatMap {
      $0.box(TrackReference.self)?.trackIDs ?? []
    }
      ?? []
  }
}
