// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples
internal import HEVC
internal import ISOBMFF

extension ForeignStream {
  /// Creates the description of a track for writing with libavformat.
  ///
  /// - Parameter delay: the number of samples at its beginning that should not be heard.
  init(_ track: CodedTrack, delay: Int, in container: ForeignMuxer.Container) throws {
    let kind: Kind =
      switch track.kind {
      case .video: .video
      case .audio: .audio
      case .subtitle: .subtitle
      case .timecode, .data: .data
      }
    self.init(kind, codec: track.details.codec)
    configuration = try Self.configuration(of: track)
    unit = Fraction(1, Int(track.timescale))
    tags = track.details.tags.map { ForeignTag(name: $0.name, value: $0.value) }
    if track.language != "und" {
      // Transport streams have room for three letters.
      let tag = container == .mpegts ? nil : track.languageTag
      tags.append(ForeignTag(name: "language", value: tag ?? track.language))
    }
    if let title = track.details.givenTitle {
      tags.append(ForeignTag(name: "title", value: title))
    }
    for (bit, role) in ForeignDescription.roles where track.details.roles.contains(role) {
      disposition.insert(bit)
    }
    switch track.kind {
    case .video:
      (width, height) = (track.width, track.height)
      picture = track.picture
      complete(from: track.format)
      if track.matrix != TransformationMatrix(), track.matrix.isTurn {
        let matrix = track.matrix
        displayMatrix = [
          matrix.a, matrix.b, matrix.u, matrix.c, matrix.d, matrix.v, matrix.x, matrix.y, matrix.w,
        ]
      }
      if case .other(let code, _) = track.format, codec == "prores" {
        tag = code.code.byteSwapped
      }
    case .audio:
      sampleRate = codec == "opus" ? 48000 : track.sampleRate
      channels = track.channels
      self.delay = delay
    case .subtitle, .timecode, .data: break
    }
  }

  /// Fills in missing properties of pictures from parameter sets, and always their size.
  private mutating func complete(from format: CodedTrack.Format) {
    switch format {
    case .hevc(let record):
      let headers = StreamHeaders(record)
      picture.complete(from: headers)
      guard let sequence = headers.baseSequences.first else { return }
      let size = sequence.displaySize ?? sequence.format.codedSize
      (width, height) = (size.width, size.height)
    case .avc(let record):
      picture.complete(fromAVC: record)
      guard let sequence = AVCSequenceParameterSet(firstOf: record) else { return }
      (width, height) = (sequence.width, sequence.height)
    case .aac, .other: break
    }
  }

  /// Returns the decoder configuration in libavformat's form.
  private static func configuration(of track: CodedTrack) throws -> [UInt8] {
    switch track.format {
    case .hevc(let record): return try record.bytes()
    case .avc(let bytes), .aac(let bytes): return bytes
    case .other(_, let bytes):
      switch track.details.codec {
      case "opus", "alac", "av1": return bytes
      // The first block without its header.
      case "flac": return Array(bytes.dropFirst(8).prefix(34))
      default: return track.details.movie == nil && !saysItInSamples(track) ? bytes : []
      }
    }
  }

  /// Returns whether the decoder configuration in movies and FLV has no meaning elsewhere.
  private static func saysItInSamples(_ track: CodedTrack) -> Bool {
    ["vp8", "vp9", "mp3", "mp2", "ac3", "eac3", "dts", "truehd", "mjpeg", "prores", "dnxhd"]
      .contains(track.details.codec)
      || track.details.codec.hasPrefix("pcm_")
  }
}

extension ForeignStream {
  /// The reason why it does not become a track; `nil` if it does.
  var refusal: String? {
    switch kind {
    case .attachment: "is an attached file"
    case .data: "cannot be stored as samples"
    case .video where disposition.contains(.cover): "is a cover picture"
    case .audio where codec == "none": "is of no known codec"
    case .video, .audio, .subtitle: nil
    }
  }
}
