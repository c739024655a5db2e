// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia
internal import ApusRaster

extension ICCProfile {
  /// Returns whether the bytes have the signature of a profile, at least the minimum size, and the stated number of
  /// bytes: ICC.1:2022, 7.2.
  public static func isProfile(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= ICCHeader.leastProfile, let header = ICCHeader(reading: bytes) else {
      return false
    }
    return header.signature == "acsp" && header.profileSize <= bytes.count
  }

  /// Returns the colour space that a profile is for: ICC.1:2022, 7.2.6.
  ///
  /// - Parameter bytes: a profile according to `isProfile`.
  public static func colourSpace(of bytes: [UInt8]) -> String {
    let code = ICCHeader(reading: bytes)?.colourSpace.bytes ?? []
    let name = String(
      decoding: code.map { (0x20..<0x7f).contains($0) ? $0 : 0x3f }, as: UTF8.self)
    return name.last == " " ? String(name.dropLast()) : name
  }

  /// Returns whether a profile is for the colours of pictures here, and not for others such as inks.
  ///
  /// - Parameter bytes: a profile according to `isProfile`.
  public static func isForPictures(_ bytes: [UInt8]) -> Bool {
    ["RGB", "GRAY"].contains(colourSpace(of: bytes))
  }

  /// Returns the reason why no program can use a profile: required data is missing, out of bounds or of another type;
  /// `nil` for a usable one, even if only other programs support it.
  ///
  /// - Parameter bytes: a profile according to `isProfile`.
  public static func defect(of bytes: [UInt8]) -> String? {
    do throws(MediaError) {
      _ = try ICCProfile(bytes)
      return nil
    } catch {
      return error.kind == .corrupt ? error.message : nil
    }
  }

  /// Reads a profile. Throws `corrupt` if the bytes are not one, and `unsupported` if it cannot be described by curves
  /// and a matrix: look-up tables, inks, device links.
  public init(_ bytes: [UInt8]) throws(MediaError) {
    let reader = try ICCReader(bytes)
    let header = reader.header
    majorVersion = Int(header.majorVersion)
    let tags = try reader.tags()
    name = tags["desc"].flatMap { reader.text(in: $0) } ?? ""
    codePoints = tags["cicp"].flatMap { reader.codePoints(in: $0) }
    let space = header.colourSpace
    guard header.connectionSpace == "XYZ " || space == "GRAY" else {
      try reader.checkTable(tags, of: name)
      throw MediaError(
        .unsupported,
        "the ICC profile \"\(name)\" works by tables (its connection space is "
          + "\(header.connectionSpace)), not by curves and a matrix")
    }
    switch space {
    case "GRAY": model = .grey(try reader.curve("kTRC", tags, of: name))
    case "RGB ":
      let columns = try Matrix3(
        reader.xyz("rXYZ", tags, of: name), reader.xyz("gXYZ", tags, of: name),
        reader.xyz("bXYZ", tags, of: name))
      model = try .rgb(
        columns.transposed, red: reader.curve("rTRC", tags, of: name),
        green: reader.curve("gTRC", tags, of: name), blue: reader.curve("bTRC", tags, of: name))
    default:
      throw MediaError(
        .unsupported,
        "the ICC profile \"\(name)\" is for \(space) pictures; known are RGB and GRAY")
    }
  }
}

/// A reader of the tags of a profile.
private struct ICCReader {
  let bytes: [UInt8]
  let header: ICCHeader
  /// The number of bytes stated in the profile.
  private var size: Int { Int(header.profileSize) }

  init(_ bytes: [UInt8]) throws(MediaError) {
    guard bytes.count >= ICCHeader.leastProfile, let header = ICCHeader(reading: bytes) else {
      throw MediaError(
        .corrupt,
        "the ICC profile has \(bytes.count) bytes; the least is \(ICCHeader.leastProfile)")
    }
    (self.bytes, self.header) = (bytes, header)
    guard header.signature == "acsp" else {
      throw MediaError(.corrupt, "the ICC profile has no signature acsp at byte 36")
    }
    guard (ICCHeader.leastProfile...bytes.count).contains(size) else {
      throw MediaError(
        .corrupt, "the ICC profile says it has \(size) bytes, and has \(bytes.count)")
    }
    guard header.majorVersion <= 5 else {
      throw MediaError(
        .corrupt, "the ICC profile is of version \(header.majorVersion), which does not exist")
    }
    guard !["link", "abst", "nmcl"].contains(header.deviceClass) else {
      throw MediaError(
        .unsupported,
        "the ICC profile is of class \(header.deviceClass), which describes no picture")
    }
  }

  /// Returns the ranges of the elements by signature, using the first with each name. As in other programs, an element
  /// beyond the end is considered missing.
  func tags() throws(MediaError) -> [FourCC: Range<Int>] {
    let table = ICCTagTable(reading: bytes[ICCHeader.size..<size])
    guard let table, table.count == table.tags.count else {
      throw MediaError(
        .corrupt,
        "the ICC profile says it has \(table?.count ?? 0) tags in \(bytes.count) bytes")
    }
    let found = table.tags.filter { $0.size >= 8 && $0.range.upperBound <= size }
    return Dictionary(found.map { ($0.signature, $0.range) }) { first, _ in first }
  }

  private func type(of range: Range<Int>) -> FourCC? {
    ICCTypeHeader(reading: bytes[range])?.signature
  }

  private func element(
    _ tag: FourCC, _ tags: [FourCC: Range<Int>], of name: String
  ) throws(MediaError) -> Range<Int> {
    if let range = tags[tag] { return range }
    guard tags["A2B0"] == nil else {
      try checkTable(tags, of: name)
      throw MediaError(
        .unsupported, "the ICC profile \"\(name)\" works by tables, not by curves and a matrix")
    }
    throw MediaError(.corrupt, "the ICC profile \"\(name)\" has no tag \(tag)")
  }

  /// Throws if there is no table to a connection space: 8.3.2 and 9.2.1.
  func checkTable(_ tags: [FourCC: Range<Int>], of name: String) throws(MediaError) {
    let tables = ["A2B0", "A2B1", "A2B2"].compactMap { tags[$0] }
    guard ["XYZ ", "Lab "].contains(header.connectionSpace),
      tables.contains(where: { ["mft1", "mft2", "mAB "].contains(type(of: $0)) })
    else {
      throw MediaError(
        .corrupt, "the ICC profile \"\(name)\" has no table to its connection space")
    }
  }

  func xyz(
    _ tag: FourCC, _ tags: [FourCC: Range<Int>], of name: String
  ) throws(MediaError) -> SIMD3<Double> {
    let range = try element(tag, tags, of: name)
    guard type(of: range) == "XYZ ", let number = ICCXYZ(reading: bytes[range])?.numbers.first
    else {
      throw MediaError(.corrupt, "the tag \(tag) of the ICC profile \"\(name)\" is no XYZ value")
    }
    return number.value
  }

  /// Reads a `curveType` or `parametricCurveType`: 10.6 and 10.18.
  func curve(
    _ tag: FourCC, _ tags: [FourCC: Range<Int>], of name: String
  ) throws(MediaError) -> TransferCurve {
    let range = try element(tag, tags, of: name)
    let curve: TransferCurve? =
      switch type(of: range) {
      case "curv": ICCCurve(reading: bytes[range]).map(sampledCurve)
      case "para": ICCParametricCurve(reading: bytes[range]).flatMap(parametricCurve)
      default: nil
      }
    guard let curve else {
      throw MediaError(
        .corrupt,
        "the tag \(tag) of the ICC profile \"\(name)\" is no curve that the standard knows")
    }
    return curve
  }

  private func sampledCurve(_ curve: ICCCurve) -> TransferCurve {
    switch curve.values.count {
    case 0: .linear
    case 1: .gamma(Double(curve.values[0]) / 256)
    default: .table(curve.values)
    }
  }

  private func parametricCurve(_ element: ICCParametricCurve) -> TransferCurve? {
    let (type, p) = (element.functionType, element.parameters)
    guard p[0] > 0 else { return nil }
    if type == 0 { return .gamma(p[0]) }
    var curve = ParametricCurve(gamma: p[0])
    (curve.a, curve.b) = (p[1], p[2])
    switch type {
    case 1, 2:
      guard p[1] != 0 else { return nil }
      curve.d = -p[2] / p[1]
      if type == 2 { (curve.e, curve.f) = (p[3], p[3]) }
    case 3: (curve.c, curve.d) = (p[3], p[4])
    default: (curve.c, curve.d, curve.e, curve.f) = (p[3], p[4], p[5], p[6])
    }
    return .parametric(curve)
  }

  /// Returns the text of a `multiLocalizedUnicodeType`, in English if available, or that of version 2.
  func text(in range: Range<Int>) -> String? {
    switch type(of: range) {
    case "desc":
      return ICCDescription(reading: bytes[range]).map {
        String(decoding: $0.ascii.prefix { $0 != 0 }, as: UTF8.self)
      }
    case "mluc":
      let records = ICCLocalizedText(reading: bytes[range])?.records ?? []
      guard let record = records.first(where: { $0.language == 0x656e }) ?? records.first,
        record.range.upperBound <= range.count
      else { return nil }
      let text = bytes[range.lowerBound + record.range.lowerBound..<range.upperBound]
      let units = (0..<record.range.count / 2).map {
        UInt16(bigEndianBytes: text.dropFirst(2 * $0).prefix(2))
      }
      return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    default: return nil
    }
  }

  func codePoints(in range: Range<Int>) -> ColourDescription? {
    guard type(of: range) == "cicp", let points = ICCCodePoints(reading: bytes[range])?.points
    else { return nil }
    return ColourDescription(
      primaries: Int(points.primaries), transfer: Int(points.transfer),
      matrix: Int(points.matrix), isFullRange: points.fullRange != 0)
  }
}
