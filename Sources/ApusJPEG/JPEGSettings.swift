// SPDX-License-Identifier: MIT

public import ApusMedia

/// The format and coding of a JPEG, which all bands of one picture share. Samples are full-range YCbCr of ITU-R BT.601
/// with 8 bits, as in JFIF.
public struct JPEGSettings: Hashable, Sendable {
  /// The width in samples, up to `longestSide`.
  public var width: Int
  /// The height in samples, up to `longestSide`.
  public var height: Int
  /// The colour subsampling.
  public var chroma: Chroma
  /// The quality from 1 to 100, on the scale of libjpeg.
  public var quality: Int
  /// The MCU rows in each restart interval; 0 if the whole picture is one and no markers are needed.
  public var restartRows = 0
  /// Whether it begins with a JFIF segment, which readers without Exif support look for.
  public var hasJFIF = true
  /// Whether the JFIF segment announces further JPEGs, as in Apple's files ("AMPF"): some programs that send photos
  /// discard data after one without it.
  public var hasFurtherPictures = false
  /// Whether it has several scans. This and `isOptimized`, for Huffman tables made for the picture, are possible only for
  /// a whole picture, which is kept in memory.
  public var isProgressive = false
  /// Whether it has Huffman tables made for the picture.
  public var isOptimized = false

  public init(width: Int, height: Int, chroma: Chroma, quality: Int = 90) {
    self.width = width
    self.height = height
    self.chroma = chroma
    self.quality = quality
  }

  /// The bytes after the last band: EOI.
  public static let trailer: [UInt8] = [0xFF, 0xD9]
  /// The maximum side in libjpeg, a little less than the 65,535 of the format.
  public static let longestSide = 65_500
}

extension JPEGSettings {
  /// The width of a minimum coded unit in luma samples: ITU-T T.81, A.2.
  public var mcuWidth: Int { 8 << chroma.shiftX }
  /// The height of a minimum coded unit in luma samples: ITU-T T.81, A.2.
  public var mcuHeight: Int { 8 << chroma.shiftY }

  /// The maximum number of MCU rows in a restart interval, which has at most 65,535 units: ITU-T T.81, B.2.4.4.
  public var mostRestartRows: Int { 65_535 / max(mcusPerRow, 1) }

  /// The rows of luma in a restart interval.
  public var intervalHeight: Int { restartRows == 0 ? height : restartRows * mcuHeight }

  private var mcusPerRow: Int { (width + mcuWidth - 1) / mcuWidth }

  /// Makes every band consist of whole restart intervals: only one, if possible.
  ///
  /// - Parameter height: the rows of luma in each band but the last, a multiple of `mcuHeight` unless there is only one
  ///   band.
  public mutating func cut(intoBandsOf height: Int) throws(MediaError) {
    guard height < self.height else {
      restartRows = 0
      return
    }
    guard height > 0, height % mcuHeight == 0 else {
      throw MediaError(
        .misuse, "JPEG bands have a multiple of \(mcuHeight) rows, these have \(height)")
    }
    let rows = height / mcuHeight
    restartRows = (1...max(min(rows, mostRestartRows), 1)).last { rows % $0 == 0 } ?? 1
  }

  /// Returns the beginning of a JPEG with whole segments inserted after that of JFIF, or after SOI if there is none.
  func inserting(_ segments: [[UInt8]], into bytes: [UInt8]) -> [UInt8] {
    // SOI, and APP0 with its 16 bytes: JFIF 1.02, page 5.
    let start = hasJFIF ? 20 : 2
    var head = Array(bytes[..<start])
    if hasJFIF, hasFurtherPictures {
      head[5] += 4
      head += Array("AMPF".utf8)
    }
    for segment in segments { head += segment }
    return head + bytes[start...]
  }

  /// Throws for settings that are impossible in a JPEG.
  func check() throws(MediaError) {
    guard width > 0, height > 0 else {
      throw MediaError(.misuse, "a JPEG of \(width)x\(height) samples cannot be")
    }
    guard max(width, height) <= Self.longestSide else {
      throw MediaError(
        .limit,
        "a JPEG has at most \(Self.longestSide) samples across and down, this picture is "
          + "\(width)x\(height); write it as PNG")
    }
    guard (1...100).contains(quality) else {
      throw MediaError(.misuse, "the quality of a JPEG is 1 to 100, not \(quality)")
    }
    guard (0...mostRestartRows).contains(restartRows) else {
      throw MediaError(
        .misuse,
        "a restart interval of this JPEG has at most \(mostRestartRows) MCU rows, not \(restartRows)"
      )
    }
  }

  /// Throws for planes with another format; only a positive height is required.
  func check(_ format: PictureFormat) throws(MediaError) {
    guard format.width == width, format.chroma == chroma, format.bitDepth == 8, format.height > 0
    else {
      throw MediaError(
        .misuse,
        "a JPEG of \(width) samples across, \(chroma.name), 8 bits was given rows of "
          + "\(format.width), \(format.chroma.name), \(format.bitDepth) bits, \(format.height) of them"
      )
    }
  }
}
