// SPDX-License-Identifier: MIT

/// The tags that are used: Exif 2.32, 4.6; TIFF 6.0.
enum ExifTag {
  static let imageWidth: UInt16 = 0x0100
  static let imageLength: UInt16 = 0x0101
  static let compression: UInt16 = 0x0103
  static let make: UInt16 = 0x010F
  static let stripOffsets: UInt16 = 0x0111
  static let model: UInt16 = 0x0110
  static let imageDescription: UInt16 = 0x010E
  static let orientation: UInt16 = 0x0112
  static let stripByteCounts: UInt16 = 0x0117
  static let xResolution: UInt16 = 0x011A
  static let yResolution: UInt16 = 0x011B
  static let resolutionUnit: UInt16 = 0x0128
  static let software: UInt16 = 0x0131
  static let dateTime: UInt16 = 0x0132
  static let artist: UInt16 = 0x013B
  static let tileOffsets: UInt16 = 0x0144
  static let tileByteCounts: UInt16 = 0x0145
  static let subDirectories: UInt16 = 0x014A
  static let jpegOffset: UInt16 = 0x0201
  static let jpegLength: UInt16 = 0x0202
  static let rating: UInt16 = 0x4746
  static let copyright: UInt16 = 0x8298
  static let exif: UInt16 = 0x8769
  static let gps: UInt16 = 0x8825
  static let dateTimeOriginal: UInt16 = 0x9003
  static let dateTimeDigitized: UInt16 = 0x9004
  static let offsetTimeOriginal: UInt16 = 0x9011
  static let offsetTimeDigitized: UInt16 = 0x9012
  static let makerNote: UInt16 = 0x927C
  static let subSecTimeOriginal: UInt16 = 0x9291
  static let subSecTimeDigitized: UInt16 = 0x9292
  /// The tags of Windows, texts in UTF-16.
  static let xpTitle: UInt16 = 0x9C9B
  static let xpComment: UInt16 = 0x9C9C
  static let xpAuthor: UInt16 = 0x9C9D
  static let xpKeywords: UInt16 = 0x9C9E
  static let colorSpace: UInt16 = 0xA001
  static let pixelXDimension: UInt16 = 0xA002
  static let pixelYDimension: UInt16 = 0xA003
  static let interoperability: UInt16 = 0xA005
  /// The tag in the interoperability directory that names its rule.
  static let interoperabilityIndex: UInt16 = 0x0001

  /// The tags of the directory with the location; each coordinate follows its reference.
  static let gpsVersion: UInt16 = 0x0000
  static let gpsLatitude: UInt16 = 0x0002
  static let gpsLongitude: UInt16 = 0x0004
  static let gpsAltitude: UInt16 = 0x0006
  static let gpsError: UInt16 = 0x001F

  /// Copies of other metadata inside Exif: XMP, IPTC, Photoshop resources.
  static let copies: Set<UInt16> = [0x02BC, 0x83BB, 0x8649]

  /// The tags for the location of pictures: pairs of offsets and byte counts.
  static let pictures: [(offsets: UInt16, counts: UInt16)] = [
    (stripOffsets, stripByteCounts), (tileOffsets, tileByteCounts), (jpegOffset, jpegLength),
  ]
}
