// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusSPNG

/// The properties of a PNG that was decoded to its end, with all checksums. At most one row of it is kept.
public struct PNGCheck: Hashable, Sendable {
  /// The format of the PNG; its compression level is unknown, and has the default value.
  public let settings: PNGSettings
  /// A digest of its samples, comparable with `PNGEncoder.digest` for the written ones.
  public let digest: UInt64

  /// The chunk `IEND`, whose checksum libspng does not read.
  private static let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

  /// - Parameter next: returns the next bytes, any number of them, and none at the end.
  public init(_ next: @escaping () throws(MediaError) -> [UInt8]) throws(MediaError) {
    var last: [UInt8] = []
    let following = { () throws(MediaError) -> [UInt8] in
      let bytes = try next()
      last = (last + bytes.suffix(Self.end.count)).suffix(Self.end.count)
      return bytes
    }
    let reader = try SPNGReader.decoding(following)
    let header = try reader.header()
    guard let kind = PNGSettings.Kind(rawValue: header.color_type), header.interlace_method == 0,
      header.bit_depth == 8 || header.bit_depth == 16
    else {
      throw MediaError(.unsupported, "only the forms in which a PNG is written here are checked")
    }
    settings = PNGSettings(
      width: Int(header.width), height: Int(header.height), bitDepth: Int(header.bit_depth),
      kind: kind)
    let count = settings.width * kind.channels * (settings.bitDepth / 8)
    var row = [UInt8](repeating: 0, count: count)
    var digest = RowDigest()
    try reader.beginAsStored()
    for index in 0..<settings.height {
      try reader.decodeRow(into: &row, isLast: index + 1 == settings.height)
      unsafe row.withUnsafeBytes { unsafe digest.add($0) }
    }
    try reader.finish()
    while try !following().isEmpty {}
    guard last == Self.end else {
      throw MediaError(.incomplete, "the PNG does not end with IEND")
    }
    self.digest = digest.value
  }
}
