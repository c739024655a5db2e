// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusMedia
internal import ApusSamples
internal import HLS
internal import ISOBMFF

/// The samples of a media playlist: its segments are fragmented MP4 or MPEG transport streams, in files or ranges of
/// files.
struct PlaylistSource {
  let source: any SampleSource & Sendable
  let warnings: [String]

  /// - Parameters:
  ///   - path: the path of the playlist from the folder to which names passed to `opener` are relative.
  ///   - opener: returns the file at a path.
  init(
    _ playlist: MediaPlaylist, at path: String, options: MediaInput.Options,
    _ opener: @escaping JoinedSource.Opener
  ) throws {
    var warnings: [String] = []
    try playlist.checkIsWhole()
    if !playlist.isEnded {
      warnings.append("the playlist has no end; only the segments listed so far are read")
    }
    var runs: [Run] = []
    /// The offset at which the last range of each file ended.
    var ends: [String: Int] = [:]
    var start = RationalTime(0, per: 1_000_000)
    for (index, segment) in playlist.segments.enumerated() {
      defer { start.value &+= segment.duration.rounded(to: 1_000_000) ?? 0 }
      if let encryption = segment.encryption {
        throw Self.refusal("is encrypted with \(encryption), which is not supported", index)
      }
      let place = try Self.place(segment, at: path, index, &ends)
      guard !segment.isGap else {
        warnings.append("segment \(index + 1) is marked as missing (EXT-X-GAP)")
        continue
      }
      if runs.isEmpty || segment.isDiscontinuous || segment.header != runs.last?.header {
        runs.append(Run(header: segment.header, start: start))
      }
      runs[runs.count - 1].places.append(place)
    }
    guard let first = runs.first else {
      throw MediaError(.unsupported, of: .part("playlist"), "has no segments")
    }
    var sources: [any SampleSource & Sendable] = []
    var origin = RationalTime(0, per: 1_000_000)
    for (number, run) in runs.enumerated() {
      let (movie, found) = try run.open(at: path, options, opener)
      for text in found where !warnings.contains(text) { warnings.append(text) }
      let all = Array(movie.tracks.indices)
      let begin = try SelectedSource(movie, indices: all).start()?.rounded(to: 1_000_000) ?? 0
      if number == 0 {
        origin.value = begin &- first.start.value
        sources.append(movie)
      } else {
        let shift = begin &- run.start.value &- origin.value
        sources.append(
          SelectedSource(movie, indices: all, origin: RationalTime(shift, per: 1_000_000)))
      }
    }
    self.warnings = warnings
    for other in sources.dropFirst()
    where other.tracks.map(\.kind) != sources[0].tracks.map(\.kind) {
      throw MediaError(
        .unsupported, of: .part("EXT-X-DISCONTINUITY"),
        "changes which tracks there are: \(sources[0].tracks.map(\.name)), then "
          + "\(other.tracks.map(\.name))")
    }
    source = sources.count == 1 ? sources[0] : ChainedSource(sources)
  }

  /// Segments between two changes of the header or the codec configuration before them.
  private struct Run {
    var header: MediaPlaylist.Header?
    /// The time at which it begins in the playlist.
    var start: RationalTime
    var places: [(name: String, range: Range<Int>?)] = []

    func open(
      at path: String, _ options: MediaInput.Options, _ opener: @escaping JoinedSource.Opener
    )
      throws -> (any SampleSource & Sendable, [String])
    {
      var places = places
      if let header {
        let name = try PlaylistPath.resolved(header.name, in: path)
        let start = header.range?.start ?? 0
        places.insert((name, header.range.map { start..<start + $0.count }), at: 0)
      }
      let joined = try JoinedSource(places, opener)
      let kind = try FileKind(of: joined)
      // Consecutive segments of transport streams are read as one.
      guard kind == .mpegTS || kind == .isoBMFF else {
        throw MediaError(
          .unsupported, of: .part("segments"),
          "begin as \(kind.description); read are segments of MP4 (EXT-X-MAP) and transport streams",
          at: .byte(nil, in: path))
      }
      let media = try MediaInput.open(joined, options: options)
      return (media.source, joined.empty.map { "\($0) is empty" } + media.warnings)
    }
  }

  private static func place(
    _ segment: MediaPlaylist.Segment, at path: String, _ index: Int, _ ends: inout [String: Int]
  ) throws -> (name: String, range: Range<Int>?) {
    let name = try PlaylistPath.resolved(segment.name, in: path)
    guard let range = segment.range else { return (name, nil) }
    guard let start = range.start ?? ends[name] else {
      throw refusal("has a byte range without a beginning, and none before it", index)
    }
    let (end, overflow) = start.addingReportingOverflow(range.count)
    guard !overflow else { throw refusal("has a byte range beyond 2^63", index) }
    ends[name] = end
    return (name, start..<end)
  }

  private static func refusal(_ detail: String, _ index: Int) -> MediaError {
    MediaError(.unsupported, of: .part("segment \(index + 1)"), detail)
  }
}
