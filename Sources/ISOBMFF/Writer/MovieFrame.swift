// SPDX-License-Identifier: MIT

internal import Bytes

/// The boxes of `moov` around the sample tables: ISO/IEC 14496-12, 8.2 to 8.4.
struct MovieFrame: Sendable {
  var style: MovieStyle
  var timescale: UInt32

  /// - Parameter extends: for a fragmented file.
  func movie(_ tracks: [Node], duration: UInt64, nextTrackID: Int, extends: Node? = nil) -> Node {
    var header = MovieHeader()
    header.timescale = timescale
    header.duration = duration
    header.header.version = Self.version(for: duration)
    header.nextTrackID = UInt32(clamping: nextTrackID)
    return Node("moov", [Node("mvhd", header)] + tracks + (extends.map { [$0] } ?? []))
  }

  /// - Parameters:
  ///   - duration: in units of the track.
  ///   - table: `stbl`.
  func track(
    _ track: NewTrack, id: Int, _ timeline: TrackTimeline, duration: UInt64, table: Node
  ) -> Node {
    let isSound = track.handler == "soun"
    var header = TrackHeader()
    header.trackID = UInt32(clamping: id)
    header.duration = timeline.duration
    header.header.version = Self.version(for: timeline.duration)
    header.volume = isSound ? 0x100 : 0
    header.alternateGroup = isSound ? 1 : 0
    header.width = track.width
    header.height = track.height
    header.matrix = track.matrix

    var media = MediaHeader()
    media.timescale = track.timescale
    media.duration = duration
    media.header.version = Self.version(for: duration)
    if let code = Language(letters: track.language) { media.language.code = code.code }

    let handler = style.handler(track.handler, name: isSound ? "Sound" : "Video")
    let boxes = [
      Node("mdhd", media), Node("hdlr", handler),
      Node("minf", information(isSound: isSound) + [table]),
    ]
    let edits = timeline.edits.map { [$0] } ?? []
    return Node("trak", [Node("tkhd", header)] + edits + [Node("mdia", boxes)])
  }

  private func information(isSound: Bool) -> [Node] {
    var references = DataReferences()
    let header =
      isSound ? Node("smhd", SoundMediaHeader()) : Node("vmhd", VideoMediaHeader())
    guard style == .quickTime else {
      references.boxes = [Node("url ", DataEntryURL())]
      return [header, Node("dinf", [Node("dref", references)])]
    }
    references.boxes = [Node("alis", MacintoshAlias())]
    let handler = style.handler("alis", component: "dhlr", name: "Data")
    return [header, Node("hdlr", handler), Node("dinf", [Node("dref", references)])]
  }

  private static func version(for duration: UInt64) -> UInt8 { duration > UInt32.max ? 1 : 0 }
}
