// SPDX-License-Identifier: MIT

internal import ApusBytes
package import ApusSamples
internal import ISOBMFF

/// A track of subtitles that becomes timed text in a movie (`tx3g`): 3GPP TS 26.245.
package enum TimedTextTrack {
  static let type: FourCC = "tx3g"
  /// The name and size that FFmpeg treats as no choice of a font: others would come back in each line of SubRip.
  private static let fontName = "Arial"
  static let fontSize: UInt8 = 16

  /// Returns tracks as a target holds them: text becomes timed text in a movie.
  package static func carried(_ tracks: [CodedTrack], _ target: RemuxTarget) -> [CodedTrack] {
    if target.isMuxed { return tracks.map { WrittenText.carried($0, target) } }
    guard target.isMovie, tracks.contains(where: { TextMarkup($0) != nil }) else { return tracks }
    let video = tracks.first { $0.kind == .video }
    return tracks.map { track in
      TextMarkup(track) == nil
        ? track : carried(track, size: (video?.width ?? 0, video?.height ?? 0))
    }
  }

  /// - Parameter size: the size of the pictures over which the text is shown.
  package static func carried(_ track: CodedTrack, size: (width: Int, height: Int)) -> CodedTrack {
    var track = track
    track.format = .other(type, [])
    track.details.codec = "mov_text"
    track.timescale = max(track.timescale, 1000)
    (track.width, track.height) = size
    return track
  }

  /// Returns an entry with white text, at the bottom, in the middle.
  static func entry(of track: CodedTrack) -> Node {
    var entry = TimedTextSampleEntry()
    entry.text.horizontalJustification = 1
    entry.text.verticalJustification = -1
    entry.text.fontSize = fontSize
    entry.text.defaultTextBox = [
      0, 0, UInt16(clamping: track.height), UInt16(clamping: track.width),
    ]
    var font = FontTable.Font()
    font.id = entry.text.fontID
    font.name = Array(fontName.utf8)
    var fonts = FontTable()
    fonts.fonts = [font]
    entry.boxes = [Node("ftab", fonts)]
    return Node(type, entry)
  }
}
