// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import ApusMedia
internal import ISOBMFF

extension Planner {
  /// Returns the coding of an item; facts missing from its configuration are read from its data.
  mutating func stream(of item: Item, _ data: [Extent]) throws(SyntaxError) -> CodedStream {
    switch item.type {
    case "hvc1", "hev1", "hvc2", "hev2", "lhv1", "lhe1": return try hevc(item, data)
    case "hvt1", "hvt2", "hvt3", "lht1":
      let base = item.targets("tbas").first.map { ", item \($0)" } ?? ""
      throw item.refusal(
        .unsupported, "is one tile of a coded picture\(base), which can be decoded only as a whole")
    case "avc1", "avc2", "avc3", "avc4": return try avc(item, data)
    case "av01": return try av1(item, data)
    case "jpeg": return try jpeg(item, data)
    case "mime" where item.contentType == "image/jpeg": return try jpeg(item, data)
    case "mime", "Exif", "uri ", "iptc", "rgan":
      let type = item.contentType.isEmpty ? "" : " of type \(item.contentType)"
      throw item.refusal(.invalid, "holds data\(type), not a picture")
    default: return try other(item)
    }
  }

  private mutating func hevc(_ item: Item, _ data: [Extent]) throws(SyntaxError) -> CodedStream {
    guard let property = item.configuration(HEVCConfiguration.self),
      let box = property.located.box(HEVCConfiguration.self)
    else {
      guard !item.type.isLayeredHEVC else {
        throw item.refusal(
          .unsupported, "holds only layers above a base, which Apus does not decode")
      }
      throw item.lacking("hvcC")
    }
    var stream: CodedStream
    if let known = streams[property.index] {
      stream = known
    } else {
      stream = try property.located.reading(of: item) { () throws(SyntaxError) in
        try CodedStream(hevc: box.record, body: try property.located.body())
      }
      streams[property.index] = stream
    }
    if stream.shape == nil || item.type.mayHoldSetsInSamples {
      let known = stream.shape
      stream.shape = try property.located.reading(of: item) { () throws(SyntaxError) in
        try StreamShape(inSample: try data.bytes(), of: stream) ?? known
      }
    }
    guard stream.shape != nil else {
      throw property.located.refusal(
        .invalid, of: item, "and the picture contain no matching parameter sets")
    }
    if item.type.isLayeredHEVC {
      report(
        item.finding(.warning, "base-layer-only", "has several layers; only the base is shown"))
    }
    return stream
  }

  private mutating func avc(_ item: Item, _ data: [Extent]) throws(SyntaxError) -> CodedStream {
    guard let property = item.configuration(AVCConfiguration.self),
      let box = property.located.box(AVCConfiguration.self)
    else { throw item.lacking("avcC") }
    var stream: CodedStream
    if let known = streams[property.index] {
      stream = known
    } else {
      stream = try property.located.reading(of: item) { () throws(SyntaxError) in
        try CodedStream(avc: box, body: try property.located.body())
      }
      streams[property.index] = stream
    }
    if stream.shape == nil {
      stream.shape = item.shape(
        chroma: Chroma(rawValue: box.highProfile?.chromaFormat ?? 1) ?? .yuv420,
        bitDepth: Int(box.highProfile?.bitDepthLumaMinus8 ?? 0) + 8)
    }
    return stream
  }

  private mutating func av1(_ item: Item, _ data: [Extent]) throws(SyntaxError) -> CodedStream {
    guard let property = item.configuration(AV1Configuration.self),
      let box = property.located.box(AV1Configuration.self)
    else { throw item.lacking("av1C") }
    var stream = try CodedStream(av1: box, body: try property.located.body())
    if stream.shape == nil {
      stream.shape = StreamShape(inAV1Units: try data.bytes(upTo: StreamShape.headerBytes))
    }
    if stream.shape == nil {
      stream.shape = item.shape(chroma: box.chroma, bitDepth: box.bitDepth)
    }
    return stream
  }

  private func jpeg(_ item: Item, _ data: [Extent]) throws(SyntaxError) -> CodedStream {
    let prefix = item.property(JPEGConfiguration.self)?.prefix
    let whole = (prefix.map { [$0] } ?? []) + data
    var stream = CodedStream(codec: .jpeg, configuration: try prefix?.bytes() ?? [])
    stream.shape = StreamShape(jpeg: try whole.bytes(upTo: 1 << 20))
    guard stream.shape != nil else {
      throw item.refusal(.invalid, "holds no JPEG frame header")
    }
    return stream
  }

  /// Returns the coding of a picture that is passed on as a separate file, whose format is known only from its
  /// properties.
  private func other(_ item: Item) throws(SyntaxError) -> CodedStream {
    // A damaged type must not be taken for a form that only other programs decode.
    if let record = item.properties.first(where: { ["hvcC", "avcC", "av1C"].contains($0.type) }) {
      throw item.refusal(
        .invalid, "has the configuration (\(record.type)) of another type of picture")
    }
    var stream = CodedStream(codec: .item("\(item.type)"), configuration: [])
    let uncompressed = item.property(UncompressedConfiguration.self)
    let depth: Int? =
      if let uncompressed {
        uncompressed.components.map { Int($0.bitDepthMinusOne) + 1 }.max()
      } else {
        item.property(PixelInformation.self)?.bitsPerChannel.max().map(Int.init)
      }
    stream.shape = item.shape(chroma: .yuv444, bitDepth: min(max(depth ?? 8, 8), 16))
    if let profile = uncompressed?.profile, ["rgb3", "rgba", "abgr"].contains(profile) {
      stream.shape?.format.isRGB = true
    } else if let definition = item.property(ComponentDefinition.self) {
      stream.shape?.adopt(definition.components.map(\.type), uncompressed)
    }
    if let vvc = item.property(VVCConfiguration.self), vvc.hasProfile {
      stream.shape?.adopt(vvc)
    }
    guard stream.shape != nil else { throw item.lacking("ispe") }
    return stream
  }
}

extension StreamShape {
  /// Determines the sample format of an uncompressed picture from the types of its components: ISO/IEC 23001-17, Table
  /// 1.
  fileprivate mutating func adopt(_ types: [UInt16], _ configuration: UncompressedConfiguration?) {
    // Types 2 and 3 are Cb and Cr; 4 to 6 are red, green and blue.
    format.isRGB = Set(types).isSuperset(of: [4, 5, 6])
    guard !format.isRGB else { return }
    if types.contains(2) {
      format.chroma =
        switch configuration?.samplingType {
        case 1: .yuv422
        case 2: .yuv420
        default: .yuv444
        }
    } else {
      format.chroma = .monochrome
    }
  }

  fileprivate mutating func adopt(_ vvc: VVCConfiguration) {
    guard let chroma = Chroma(rawValue: vvc.chromaFormatIDC) else { return }
    format.chroma = chroma
    format.bitDepth = Int(vvc.bitDepthMinus8) + 8
  }
}
