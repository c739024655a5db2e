// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples
internal import HEVC
internal import ISOBMFF

/// The descriptions of streams and of the whole in a foreign container, converted to those of tracks.
enum ForeignDescription {
  static func track(_ stream: ForeignStream, _ format: CodedTrack.Format) -> CodedTrack {
    let kind: CodedTrack.Kind =
      switch stream.kind {
      case .video: .video
      case .audio: .audio
      case .subtitle: .subtitle
      case .data, .attachment: .data
      }
    var track = CodedTrack(kind, format, timescale: ForeignUnits(stream).timescale)
    (track.width, track.height) = (stream.width, stream.height)
    track.sampleRate = stream.sampleRate
    track.channels = stream.channels
    track.picture = stream.picture
    if stream.displayMatrix.count == 9 { track.matrix = matrix(stream.displayMatrix) }
    switch format {
    case .hevc(let record):
      let headers = StreamHeaders(record)
      track.picture.complete(from: headers)
      guard let sequence = headers.baseSequences.first else { break }
      let size = sequence.displaySize ?? sequence.format.codedSize
      (track.width, track.height) = (size.width, size.height)
    case .aac(let bytes):
      guard let config = try? AudioSpecificConfig(bytes) else { break }
      track.sampleRate = config.sampleRate ?? stream.sampleRate
    case .avc(let record): track.picture.complete(fromAVC: record)
    case .other: break
    }
    for tag in stream.tags {
      switch tag.name.lowercased() {
      case "language":
        track.language = LanguageTag.letters(of: tag.value)
        if track.language != "und", track.language != tag.value { track.languageTag = tag.value }
      case "title": track.details.title = tag.value
      case let name where isMeasure(name): break
      default: track.details.tags.append((tag.name, tag.value))
      }
    }
    for (bit, role) in roles where stream.disposition.contains(bit) {
      track.details.roles.insert(role)
    }
    track.details.codec = stream.codec
    return track
  }

  /// Returns whether a tag is a measurement of the file, which the next writer makes itself.
  private static func isMeasure(_ name: String) -> Bool {
    ["duration", "bps", "number_of_", "_statistics_"].contains { name.hasPrefix($0) }
  }

  static let roles: [(ForeignStream.Disposition, TrackDetails.Role)] = [
    (.chosen, .chosen), (.forced, .forced), (.dub, .dub), (.original, .original),
    (.comment, .comment), (.lyrics, .lyrics), (.karaoke, .karaoke),
    (.hearingImpaired, .hearingImpaired), (.visualImpaired, .visualImpaired),
    (.captions, .captions), (.descriptions, .descriptions),
  ]

  private static func matrix(_ numbers: [Int32]) -> TransformationMatrix {
    var matrix = TransformationMatrix()
    (matrix.a, matrix.b, matrix.u) = (numbers[0], numbers[1], numbers[2])
    (matrix.c, matrix.d, matrix.v) = (numbers[3], numbers[4], numbers[5])
    (matrix.x, matrix.y, matrix.w) = (numbers[6], numbers[7], numbers[8])
    return matrix
  }

  static func details(_ media: ForeignMedia) -> MediaDetails {
    var details = MediaDetails()
    details.tags = media.tags.map { ($0.name, $0.value) }
    details.chapters = media.chapters.map {
      Chapter(start: $0.start, end: $0.end, title: $0.title)
    }
    let created = media.tags.first { $0.name == "creation_time" }?.value
    details.creationTime = created.flatMap { Date1904(iso8601: $0)?.seconds }
    return details
  }
}
