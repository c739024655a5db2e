// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusRaster

/// The print resolution of a picture, as in JFIF and PNG. A HEIC can have it only in Exif.
public struct DotDensity: Hashable, Sendable {
  /// The values of ResolutionUnit: Exif 2.32, 4.6.4.
  enum Unit: UInt16 {
    case inch = 2
    case centimetre = 3
  }

  let across: UInt32
  let down: UInt32
  let unit: Unit
  /// The number of length units for this number of dots.
  let length: UInt32

  /// Reads the density of a JPEG: `nil` if it has none, or if it is 72 dots per inch, which is the default of Exif.
  init?(_ header: JFIFHeader) {
    guard let unit: Unit = [1: .inch, 2: .centimetre][header.units] else { return nil }
    if unit == .inch, header.xDensity == 72, header.yDensity == 72 { return nil }
    self.init(UInt32(header.xDensity), UInt32(header.yDensity), unit, length: 1)
  }

  /// Reads the density of a PNG.
  ///
  /// - Parameter pHYs: the body of that chunk (PNG, third edition, 11.3.4.3).
  public init?(pHYs: [UInt8]) {
    guard let chunk = PNGPhysicalDimensions(reading: pHYs) else { return nil }
    guard chunk.unit == 1 else { return nil }
    self.init(chunk.across, chunk.down, .centimetre, length: 100)
  }

  private init?(_ across: UInt32, _ down: UInt32, _ unit: Unit, length: UInt32) {
    guard across > 0, down > 0 else { return nil }
    (self.across, self.down, self.unit, self.length) = (across, down, unit, length)
  }
}
