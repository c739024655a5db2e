// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A movie and its tracks, including fragments (`moov`, `moof`): ISO/IEC 14496-12, 8.2 and 8.8.
public struct Movie: Sendable {
  /// The box `mvhd`, if there is a readable one.
  public var header: MovieHeader?
  /// The tracks in file order, with their samples in fragments.
  public var tracks: [Track] = []
  /// Whether `mvex` announces movie fragments.
  public var isFragmented = false

  /// Reads `moov` and all `moof` of a file. A file without `moov` has no tracks.
  public init(_ tree: BoxTree) {
    guard let moov = tree.located.first(where: { $0.node.type == "moov" }) else { return }
    header = moov.box(at: "mvhd")
    let extends = moov.child("mvex")?.children.compactMap { $0.box(TrackExtends.self) } ?? []
    isFragmented = moov.child("mvex") != nil
    let fragments = FragmentPlace.all(
      in: tree,
      extends: Dictionary(extends.map { ($0.trackID, $0) }, uniquingKeysWith: { first, _ in first })
    )
    let type = tree.located.first { $0.node.type == "ftyp" }?.box(FileType.self)
    let isQuickTime = type.map { $0.majorBrand == "qt  " } ?? true
    tracks = moov.children(of: "trak").map { trak in
      var track = Track(trak, movieTimescale: header?.timescale ?? 0)
      track.isQuickTime = isQuickTime
      track.fragments = fragments[track.id] ?? []
      // Only few samples have no bytes.
      track.mostSamples = tree.source.count + 1 << 20
      return track
    }
  }
}
