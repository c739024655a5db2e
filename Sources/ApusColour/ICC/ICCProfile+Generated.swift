// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia

extension ICCProfile {
  /// Returns a profile of version 4 equivalent to code points, for files that can contain only a profile. Unspecified
  /// or unknown values become BT.709 and sRGB; the curve is the one with which such pictures are displayed.
  ///
  /// PQ and HLG also get the tag `cicp`, because viewers that support it do not use the curve.
  public static func generated(for colour: ColourDescription, isGrey: Bool = false) -> [UInt8] {
    let primaries = Primaries(codePoint: colour.primaries) ?? .bt709
    var others: [(name: String, data: [UInt8])] = []
    if colour.isHDR {
      let points = [colour.primaries, colour.transfer, 0, 1].map { UInt8(truncatingIfNeeded: $0) }
      others.append(("cicp", header("cicp") + points))
    }
    return profile(
      primaries, TransferCurve(shownFor: colour.transfer), isGrey: isGrey,
      name: generatedName(for: colour, isGrey: isGrey), others, version: colour.isHDR ? 0x44 : 0x43)
  }

  /// Returns a profile of version 4 for any primaries and any curve.
  public static func generated(
    _ primaries: Primaries, _ curve: TransferCurve, isGrey: Bool, name: String
  ) -> [UInt8] {
    profile(primaries, curve, isGrey: isGrey, name: name, [], version: 0x43)
  }

  private static func profile(
    _ primaries: Primaries, _ curve: TransferCurve, isGrey: Bool, name: String,
    _ others: [(name: String, data: [UInt8])], version: UInt8
  ) -> [UInt8] {
    let curve = element(of: curve)
    var tags: [(name: String, data: [UInt8])] = [
      ("desc", text(name)), ("cprt", text("CC0")), ("wtpt", xyz([0xf6d6, 0x10000, 0xd32d])),
    ]
    if isGrey {
      tags.append(("kTRC", curve))
    } else {
      let columns = columns(of: primaries)
      let adaptation = primaries.adaptationToD50
      let chad = (0..<9).map { fixed(adaptation[$0 / 3, $0 % 3]) }
      tags.append(("chad", header("sf32") + chad.flatMap(bytes)))
      tags += zip(["rXYZ", "gXYZ", "bXYZ"], columns).map { ($0, xyz($1)) }
      // An element without data shares that of the previous one.
      tags += [("rTRC", curve), ("gTRC", []), ("bTRC", [])]
    }
    return profile(tags + others, space: isGrey ? "GRAY" : "RGB ", version: version)
  }

  /// Returns the name of such a profile.
  static func generatedName(for colour: ColourDescription, isGrey: Bool = false) -> String {
    let known = Primaries(codePoint: colour.primaries) == nil ? 1 : colour.primaries
    let space = ColourDescription(primaries: known).primariesName
    let curve = TransferCurve(shownFor: colour.transfer)
    if curve == .srgb {
      if isGrey { return "Grey, sRGB curve" }
      return known == 1 ? "sRGB" : space
    }
    if colour.isHDR, known == 9 { return "BT.2100 \(colour.transferName)" }
    let name = curve == .gamma(2.4) ? "gamma 2.4" : colour.transferName
    return isGrey ? "Grey, \(name)" : "\(space), \(name)"
  }

  private static func profile(
    _ tags: [(name: String, data: [UInt8])], space: String, version: UInt8
  ) -> [UInt8] {
    var table = bytes(tags.count)
    var data: [UInt8] = []
    var place = (offset: 0, size: 0)
    for tag in tags {
      if !tag.data.isEmpty {
        place = (132 + 12 * tags.count + data.count, tag.data.count)
        data += tag.data + Array(repeating: 0, count: -tag.data.count & 3)
      }
      table += Array(tag.name.utf8) + bytes(place.offset) + bytes(place.size)
    }
    let size = 128 + table.count + data.count
    // A constant date, so that the same picture always gives the same file: 2026-01-01.
    var profile = bytes(size) + bytes(0)
    profile += [version >> 4, version << 4, 0, 0]
    profile += "mntr\(space)XYZ ".utf8
    profile += [0x07, 0xea, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]
    profile += "acsp".utf8
    profile += Array(repeating: 0, count: 28)
    profile += [0xf6d6, 0x10000, 0xd32d].flatMap(bytes)
    profile += Array(repeating: 0, count: 128 - profile.count)
    profile += table
    profile += data
    profile.replaceSubrange(84..<100, with: MD5.digest(of: profile))
    return profile
  }

  /// Returns the columns of the matrix in 65536ths, with each row adjusted to sum up to the white of the connection
  /// space, so that equal red, green and blue are exactly grey.
  private static func columns(of primaries: Primaries) -> [[Int]] {
    let matrix = primaries.rgbToD50
    let rows = zip(0..<3, [0xf6d6, 0x10000, 0xd32d]).map { row, white in
      var values = (0..<3).map { fixed(matrix[row, $0]) }
      let largest = (0..<3).max { abs(values[$0]) < abs(values[$1]) } ?? 0
      values[largest] += white - values.reduce(0, +)
      return values
    }
    return (0..<3).map { column in rows.map { $0[column] } }
  }

  private static func element(of curve: TransferCurve) -> [UInt8] {
    switch curve {
    case .parametric(let p) where p.a == 1 && p.b == 0 && p.d == 0:
      return header("para") + [0, 0, 0, 0] + bytes(fixed(p.g))
    case .parametric(let p):
      return header("para") + [0, 3, 0, 0]
        + [p.g, p.a, p.b, p.c, p.d].flatMap { bytes(fixed($0)) }
    default:
      let count = 4096
      let samples = (0..<count).flatMap { index -> [UInt8] in
        let light = min(max(curve.light(Double(index) / Double(count - 1)), 0), 1)
        return UInt16((light * 65535).rounded()).bigEndianBytes
      }
      return header("curv") + bytes(count) + samples
    }
  }

  private static func text(_ string: String) -> [UInt8] {
    let units = string.utf16.flatMap(\.bigEndianBytes)
    return header("mluc") + [1, 12].flatMap(bytes) + Array("enUS".utf8)
      + [units.count, 28].flatMap(bytes) + units
  }

  private static func xyz(_ values: [Int]) -> [UInt8] { header("XYZ ") + values.flatMap(bytes) }

  private static func header(_ type: String) -> [UInt8] { Array(type.utf8) + [0, 0, 0, 0] }

  /// Returns an `s15Fixed16Number`.
  private static func fixed(_ value: Double) -> Int {
    guard value.isFinite else { return 0 }
    return Int((min(max(value, -32767), 32767) * 65536).rounded(.toNearestOrEven))
  }

  private static func bytes(_ value: Int) -> [UInt8] {
    UInt32(truncatingIfNeeded: value).bigEndianBytes
  }
}
