// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia

extension ICCProfile {
  /// Returns whether the bytes have the signature of a profile, at least the minimum size, and the stated number of
  /// bytes: ICC.1:2022, 7.2.
  public static func isProfile(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 132 && bytes[36..<40].elementsEqual("acsp".utf8)
      && Int(bigEndianBytes: bytes[..<4]) <= bytes.count
  }

  /// Returns the colour space that a profile is for: ICC.1:2022, 7.2.6.
  ///
  /// - Parameter bytes: a profile according to `isProfile`.
  public static func colourSpace(of bytes: [UInt8]) -> String {
    let name = String(
      decoding: bytes[16..<20].map { (0x20..<0x7f).contains($0) ? $0 : 0x3f }, as: UTF8.self)
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
    let reader = ICCReader(bytes: bytes)
    try reader.checkHeader()
    majorVersion = Int(bytes[8])
    let tags = try reader.tags()
    name = tags["desc"].flatMap { reader.text(in: $0) } ?? ""
    codePoints = tags["cicp"].flatMap { reader.codePoints(in: $0) }
    let space = reader.code(at: 16)
    guard reader.code(at: 20) == "XYZ " || space == "GRAY" else {
      try reader.checkTable(tags, of: name)
      throw MediaError(
        .unsupported,
        "the ICC profile \"\(name)\" works by tables (its connection space is "
          + "\(reader.code(at: 20))), not by curves and a matrix")
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

/// A reader of profile fields, which checks every offset before use.
private struct ICCReader {
  let bytes: [UInt8]
  /// The number of bytes stated in the profile.
  private var size: Int { u32(0) }

  /// - Returns: the number; 0 beyond the end.
  func u16(_ offset: Int) -> Int {
    guard offset >= 0, offset + 2 <= bytes.count else { return 0 }
    return Int(bigEndianBytes: bytes[offset..<offset + 2])
  }

  func u32(_ offset: Int) -> Int { u16(offset) << 16 | u16(offset + 2) }

  /// Returns an `s15Fixed16Number`.
  func fixed(_ offset: Int) -> Double {
    Double(Int32(truncatingIfNeeded: u32(offset))) / 65536
  }

  func code(at offset: Int) -> FourCC { FourCC(UInt32(truncatingIfNeeded: u32(offset))) }

  func checkHeader() throws(MediaError) {
    guard bytes.count >= 132 else {
      throw MediaError(.corrupt, "the ICC profile has \(bytes.count) bytes; the least is 132")
    }
    guard code(at: 36) == "acsp" else {
      throw MediaError(.corrupt, "the ICC profile has no signature acsp at byte 36")
    }
    guard (132...bytes.count).contains(size) else {
      throw MediaError(
        .corrupt, "the ICC profile says it has \(size) bytes, and has \(bytes.count)")
    }
    guard bytes[8] <= 5 else {
      throw MediaError(.corrupt, "the ICC profile is of version \(bytes[8]), which does not exist")
    }
    guard code(at: 12) != "link", code(at: 12) != "abst", code(at: 12) != "nmcl" else {
      throw MediaError(
        .unsupported, "the ICC profile is of class \(code(at: 12)), which describes no picture")
    }
  }

  /// Returns the ranges of the elements by signature, using the first with each name. As in other programs, an element
  /// beyond the end is considered missing.
  func tags() throws(MediaError) -> [FourCC: Range<Int>] {
    let count = u32(128)
    guard count <= (size - 132) / 12 else {
      throw MediaError(
        .corrupt, "the ICC profile says it has \(count) tags in \(bytes.count) bytes")
    }
    var tags: [FourCC: Range<Int>] = [:]
    for index in 0..<count {
      let entry = 132 + 12 * index
      let (offset, count) = (u32(entry + 4), u32(entry + 8))
      guard offset + count <= size, count >= 8 else { continue }
      let signature = code(at: entry)
      if tags[signature] == nil { tags[signature] = offset..<offset + count }
    }
    return tags
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
    guard code(at: 20) == "XYZ " || code(at: 20) == "Lab ",
      tables.contains(where: { ["mft1", "mft2", "mAB "].contains(code(at: $0.lowerBound)) })
    else {
      throw MediaError(
        .corrupt, "the ICC profile \"\(name)\" has no table to its connection space")
    }
  }

  func xyz(
    _ tag: FourCC, _ tags: [FourCC: Range<Int>], of name: String
  ) throws(MediaError) -> SIMD3<Double> {
    let range = try element(tag, tags, of: name)
    guard code(at: range.lowerBound) == "XYZ ", range.count >= 20 else {
      throw MediaError(.corrupt, "the tag \(tag) of the ICC profile \"\(name)\" is no XYZ value")
    }
    let start = range.lowerBound + 8
    return [fixed(start), fixed(start + 4), fixed(start + 8)]
  }

  /// Reads a `curveType` or `parametricCurveType`: 10.6 and 10.18.
  func curve(
    _ tag: FourCC, _ tags: [FourCC: Range<Int>], of name: String
  ) throws(MediaError) -> TransferCurve {
    let range = try element(tag, tags, of: name)
    let start = range.lowerBound
    let curve: TransferCurve? =
      switch code(at: start) {
      case "curv" where range.count >= 12: sampledCurve(range)
      case "para" where range.count >= 16: parametricCurve(range)
      default: nil
      }
    guard let curve else {
      throw MediaError(
        .corrupt,
        "the tag \(tag) of the ICC profile \"\(name)\" is no curve that the standard knows")
    }
    return curve
  }

  private func sampledCurve(_ range: Range<Int>) -> TransferCurve? {
    let start = range.lowerBound + 12
    let count = u32(range.lowerBound + 8)
    guard count <= (range.count - 12) / 2 else { return nil }
    if count == 0 { return .linear }
    if count == 1 { return .gamma(Double(u16(start)) / 256) }
    return .table((0..<count).map { UInt16(truncatingIfNeeded: u16(start + 2 * $0)) })
  }

  private func parametricCurve(_ range: Range<Int>) -> TransferCurve? {
    let type = u16(range.lowerBound + 8)
    let counts = [1, 3, 4, 5, 7]
    guard counts.indices.contains(type), 12 + 4 * counts[type] <= range.count else { return nil }
    let p = (0..<counts[type]).map { fixed(range.lowerBound + 12 + 4 * $0) }
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
    let start = range.lowerBound
    switch code(at: start) {
    case "desc":
      let count = min(u32(start + 8), max(range.count - 12, 0))
      return String(
        decoding: bytes[start + 12..<start + 12 + count].prefix { $0 != 0 }, as: UTF8.self)
    case "mluc":
      guard u32(start + 12) == 12 else { return nil }
      let records = (0..<min(u32(start + 8), max(range.count - 16, 0) / 12)).map {
        start + 16 + 12 * $0
      }
      guard let record = records.first(where: { u16($0) == 0x656e }) ?? records.first else {
        return nil
      }
      let (length, offset) = (u32(record + 4), u32(record + 8))
      guard offset + length <= range.count else { return nil }
      let units = (0..<length / 2).map {
        UInt16(truncatingIfNeeded: u16(start + offset + 2 * $0))
      }
      return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    default: return nil
    }
  }

  func codePoints(in range: Range<Int>) -> ColourDescription? {
    guard code(at: range.lowerBound) == "cicp", range.count >= 12 else { return nil }
    let start = range.lowerBound + 8
    return ColourDescription(
      primaries: Int(bytes[start]), transfer: Int(bytes[start + 1]),
      matrix: Int(bytes[start + 2]), isFullRange: bytes[start + 3] != 0)
  }
}
