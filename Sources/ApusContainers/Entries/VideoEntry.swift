// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import HEVC
internal import ISOBMFF

/// A visual sample entry: ISO/IEC 14496-12, 12.1.3; ISO/IEC 14496-15, 5.4.2 and 8.4.1.
struct VideoEntry: Sendable {
  private let entry: MovieEntry
  private let track: CodedTrack
  private(set) var shape: PictureShape
  /// The traits that the track has, completed from its parameter sets.
  private var picture: PictureTraits

  init(_ entry: MovieEntry, of track: CodedTrack, _ headers: HeadersReader) throws {
    self.entry = entry
    self.track = track
    shape = PictureShape(width: track.width, height: track.height)
    picture = track.picture
    switch entry.format {
    case .hevc(let record):
      let read = headers.headers(of: record)
      guard let sequence = read.baseSequences.first else {
        throw Self.failure(track, "has a record without a sequence parameter set that can be read")
      }
      let size = sequence.displaySize ?? sequence.format.codedSize
      shape = PictureShape(width: size.width, height: size.height)
      picture.complete(from: read)
    case .avc(let bytes):
      _ = try Self.read(AVCConfiguration.self, bytes, track)
      if let read = AVCSequenceParameterSet(firstOf: bytes) {
        shape = PictureShape(width: read.width, height: read.height)
      }
      picture.complete(fromAVC: bytes)
    case .aac, .other: break
    }
    if let ratio = picture.sampleAspect, ratio.horizontal > 0, ratio.vertical > 0 {
      (shape.horizontalSpacing, shape.verticalSpacing) = (ratio.horizontal, ratio.vertical)
    }
    guard (1...0xffff).contains(shape.width), (1...0xffff).contains(shape.height) else {
      throw Self.failure(
        track, "has pictures of \(shape.width)x\(shape.height), a sample entry holds 1 to 65535")
    }
  }

  func node(in style: MovieStyle, _ rate: BitRate? = nil) throws -> Node {
    var visual = VisualSampleEntry()
    visual.width = UInt16(clamping: shape.width)
    visual.height = UInt16(clamping: shape.height)
    let type: FourCC
    (type, visual.boxes) = try description(in: style)
    visual.boxes += picture.boxes(in: style)
    if !shape.hasSquareSamples {
      var spacing = PixelAspectRatio()
      spacing.hSpacing = UInt32(clamping: shape.horizontalSpacing)
      spacing.vSpacing = UInt32(clamping: shape.verticalSpacing)
      visual.boxes.append(Node("pasp", spacing))
    }
    if let rate { visual.boxes.append(Node("btrt", rate)) }
    return Node(type, visual)
  }

  /// The codecs that QuickTime names by their entries, and ISO files by a number in `esds`.
  static let numbered: Set<FourCC> = ["m1v ", "m2v1", "jpeg"]
  /// The codecs of editors, which only QuickTime files name: ProRes and DNxHD.
  static let editors: Set<FourCC> = [
    "apch", "apcn", "apcs", "apco", "ap4h", "ap4x", "AVdn", "AVdh",
  ]

  private func description(in style: MovieStyle) throws -> (FourCC, [Node]) {
    if case .other(let code, let bytes) = entry.format {
      let isNumbered = Self.numbered.contains(code)
      if style == .quickTime, isNumbered || Self.editors.contains(code) { return (code, []) }
      if isNumbered, let first = entry.first,
        let number = ObjectType(ofPictures: code, first: try first.prefix(4096).bytes())
      {
        return ("mp4v", [number.description(.pictures, bytes)])
      }
    }
    let (type, node) = try configuration()
    return (type, [node])
  }

  /// Returns the type of the entry and the box that configures a decoder.
  func configuration() throws -> (type: FourCC, node: Node) {
    switch entry.format {
    case .hevc(var record):
      // In hvc1 all sets are in the record; in hev1 that is unknown (ISO/IEC 14496-15, 8.4.1.1.1).
      for index in record.arrays.indices {
        let type = NALUnitType(fieldBits: UInt64(record.arrays[index].nalUnitType))
        record.arrays[index].arrayCompleteness = type.isParameterSet && !entry.hasOtherSets
      }
      var box = HEVCConfiguration()
      box.record = record
      let type = Self.type(
        isExclusive: picture.dolbyVision?.isExclusive ?? false, hasOtherSets: entry.hasOtherSets)
      return (type, Node("hvcC", box))
    case .avc(let bytes):
      return ("avc1", Node("avcC", try Self.read(AVCConfiguration.self, bytes, track)))
    case .other("av01", let bytes):
      let isExclusive = picture.dolbyVision?.isExclusive ?? false
      let node = Node("av1C", try Self.read(AV1Configuration.self, bytes, track))
      return (isExclusive ? "dav1" : "av01", node)
    case .other(let code, let bytes) where code == "vp09" || code == "vp08":
      return (code, Node("vpcC", try Self.read(VPConfiguration.self, bytes, track)))
    case .other("vvc1", let bytes):
      return ("vvc1", Node("vvcC", try Self.read(VVCConfiguration.self, bytes, track)))
    case .aac, .other: throw Self.failure(track, "has no known sample entry")
    }
  }

  /// Returns the type of an entry of HEVC: Dolby Vision has two special types for video that other players would show
  /// in wrong colours.
  ///
  /// - Parameter hasOtherSets: whether samples have parameter sets that the record does not have.
  static func type(isExclusive: Bool, hasOtherSets: Bool) -> FourCC {
    switch (isExclusive, hasOtherSets) {
    case (false, false): "hvc1"
    case (false, true): "hev1"
    case (true, false): "dvh1"
    case (true, true): "dvhe"
    }
  }

  static func failure(_ track: CodedTrack, _ detail: String) -> MediaError {
    MediaError(.unsupported, of: .part(track.name), detail)
  }

  /// Reads a configuration, and throws if any bytes follow it.
  static func read<Configuration: SyntaxStructure>(
    _: Configuration.Type, _ bytes: [UInt8], _ track: CodedTrack
  ) throws -> Configuration {
    var reader = SyntaxReader(MemorySource(bytes))
    var configuration = Configuration()
    do {
      try configuration.syntax(&reader)
    } catch {
      throw failure(track, "has a configuration that cannot be read: \(error.message)")
    }
    return configuration
  }
}
