// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import ApusMedia
internal import ApusRecords
internal import ApusSamples
internal import HEVC
internal import ISOBMFF

/// The facts about the format of a track: from its parameter sets first, then the container.
struct FormatFacts {
  private(set) var codec: String
  /// The codec strings for players that support more.
  private(set) var supplementalCodecs: [String] = []
  private(set) var format = CodedFormat()
  private(set) var colour = ColourFacts()
  /// The size of a picture, cropped, before its sample aspect applies; `nil` if the format does not contain it.
  private(set) var size: PixelSize?
  private(set) var aspect: SampleAspect?
  private(set) var rate: FrameRate?
  private(set) var fields: FieldOrder?
  private(set) var views = 1
  private(set) var encoder: String?

  /// - Parameter nalUnits: the parameter sets and messages of HEVC in the first sample.
  init(_ track: CodedTrack, _ nalUnits: [[UInt8]]) {
    var traits = PictureTraits()
    switch track.format {
    case .hevc(let record):
      var headers = StreamHeaders(record)
      for nalUnit in nalUnits { headers.add(nalUnit) }
      let entry = track.details.sampleEntries.first?.node.type.description ?? ""
      let name = ["hvc1", "hev1"].contains(entry) ? entry : "hvc1"
      codec = record.codecString(sampleEntry: name)
      format = CodedFormat(record)
      if let sequence = headers.baseSequences.first {
        codec = sequence.codecString(sampleEntry: name)
        format = CodedFormat(sequence)
        size = sequence.displaySize ?? sequence.format.codedSize
        rate = sequence.frameRate ?? headers.baseVideos.first?.frameRate
      }
      encoder = TrackFacts.encoder(headers)
      if !headers.upperSequences.isEmpty { views = 2 }
      colour = ColourFacts([], headers)
      traits.complete(from: headers)
    case .avc(let bytes):
      codec = "avc1"
      guard let record = try? AVCConfiguration(bytes) else { break }
      codec = CodecString.text(of: record, "avc1") ?? codec
      format = CodedFormat(record)
      guard let sequence = record.firstSequence else { break }
      if sequence.width > 0, sequence.height > 0 {
        size = PixelSize(width: sequence.width, height: sequence.height)
      }
      rate = sequence.frameRate
      traits.complete(from: sequence)
    case .aac(let bytes): codec = CodecString.aac(bytes)
    case .other(let type, let bytes):
      let box = Self.configuration(of: type, bytes)
      codec = box.flatMap { CodecString.text(of: $0, type) } ?? Self.name(of: type, track)
      if let box, let known = CodedFormat(box) { format = known }
      traits.complete(fromBox: box)
    }
    colour.add(traits, from: .vui)
    colour.add(track.picture, from: .container)
    if let vision = colour.dolbyVision, let type = CodecString.dolbyTypes[String(codec.prefix(4))] {
      let name = CodecString.dolbyVision(
        sampleEntry: type, profile: vision.profile, level: vision.level)
      if vision.isExclusive { codec = name } else { supplementalCodecs = [name] }
    }
    fields = traits.fields ?? track.picture.fields
    aspect = traits.sampleAspect ?? track.picture.sampleAspect
  }

  /// Returns the box that configures a codec, for codecs whose codec strings need it.
  private static func configuration(of type: FourCC, _ bytes: [UInt8]) -> (any Box)? {
    switch type {
    case "av01": box(AV1Configuration(), bytes)
    case "vp09": box(VPConfiguration(), bytes)
    case "vvc1", "vvi1": box(VVCConfiguration(), bytes)
    default: nil
    }
  }

  private static func box<Body: Box>(_ blank: Body, _ bytes: [UInt8]) -> Body? {
    guard !bytes.isEmpty else { return nil }
    var box = blank
    var reader = SyntaxReader(MemorySource(bytes))
    do throws(SyntaxError) {
      try box.syntax(&reader)
      return box
    } catch {
      return nil
    }
  }

  /// Returns the name of the codec in media types (RFC 6381, WebM), or FFmpeg's where they have none.
  private static func name(of type: FourCC, _ track: CodedTrack) -> String {
    switch type {
    case "Opus": "opus"
    case "fLaC": "flac"
    case ".mp3": "mp3"
    case "vp08": "vp8"
    case "ac-3", "ec-3", "vp09", "av01": type.description
    default: track.details.codec.isEmpty ? type.description.trimmed : track.details.codec
    }
  }
}

extension PictureTraits {
  /// Reads the facts of the first parameter set in a record.
  init(_ record: AVCConfiguration) {
    self.init()
    if let sequence = record.firstSequence { complete(from: sequence) }
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
