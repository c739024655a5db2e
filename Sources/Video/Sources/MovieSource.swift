// SPDX-License-Identifier: MIT

public import Bytes
internal import HEVC
internal import ISOBMFF
internal import Media

/// The samples of an MP4 or QuickTime file, fragmented or not: ISO/IEC 14496-12. Payloads stay in the file.
///
/// Times are those of the presentation: edit lists are applied, and decoding times stand as far ahead as
/// negative composition offsets ask for. No sample is left out for an edit; those before its beginning have
/// times below 0.
public struct MovieSource: SampleSource, Sendable {
  public let tracks: [CodedTrack]
  /// What is left out, and why.
  public let warnings: [String]
  private var readers: [MovieTrackReader] = []

  public init(_ source: any ByteSource, limits: Limits = Limits()) throws(SyntaxError) {
    let tree = try BoxTree(reading: source, limits: limits)
    let movie = Movie(tree)
    guard !movie.tracks.isEmpty else {
      let isSegment = tree.boxes.contains { $0.type == "moof" }
      throw SyntaxError(
        .unsupported, field: "moov", offset: 0,
        detail: isSegment
          ? "is missing: this is a segment, which goes behind its initialization segment in one file"
          : "is missing, or has no tracks")
    }
    var warnings: [String] = []
    for track in movie.tracks {
      guard let kind = Self.kind(of: track) else {
        let handler = track.handler.map { "\($0)" } ?? "without a handler"
        warnings.append("\(track.path) (\(handler)) is no video or audio and is left out")
        continue
      }
      let reader = try MovieTrackReader(track, kind, in: source)
      guard reader.hasSamples else {
        warnings.append("\(track.path) has no samples and is left out")
        continue
      }
      warnings += reader.warnings
      readers.append(reader)
    }
    guard !readers.isEmpty else {
      throw SyntaxError(
        .unsupported, field: "moov", offset: 0, detail: "has no video or audio with samples")
    }
    self.warnings = warnings
    tracks = readers.map(\.track)
    for index in readers.indices { try readers[index].advance() }
  }

  private static func kind(of track: Track) -> CodedTrack.Kind? {
    switch track.handler {
    case "vide": .video
    case "soun": .audio
    default: nil
    }
  }

  public mutating func next() throws(SyntaxError) -> SourceEvent? {
    var earliest: Int?
    for (index, reader) in readers.enumerated() {
      guard let time = reader.time else { continue }
      if let chosen = earliest, let other = readers[chosen].time, !time.isBefore(other) { continue }
      earliest = index
    }
    guard let earliest else { return nil }
    return try readers[earliest].take(as: earliest)
  }
}
