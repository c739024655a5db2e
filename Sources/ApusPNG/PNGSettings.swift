// SPDX-License-Identifier: MIT

public import ApusMedia

/// The format of a PNG: ISO/IEC 15948, 11.2.2.
public struct PNGSettings: Hashable, Sendable {
  /// The channels of a sample, interleaved in this order.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    case gray = 0
    case rgb = 2
    case grayAlpha = 4
    case rgba = 6

    /// The number of channels of a sample, 1 to 4.
    public var channels: Int {
      switch self {
      case .gray: 1
      case .grayAlpha: 2
      case .rgb: 3
      case .rgba: 4
      }
    }
  }

  /// The width in samples.
  public var width: Int
  /// The height in samples.
  public var height: Int
  /// The bit depth, 8 or 16.
  public var bitDepth: Int
  /// The channels of each sample.
  public var kind: Kind
  /// The compression level, 0 to 9; 0 does not compress. 1 only uses runs of one byte, after a filter that produces
  /// them: for photos this gives smaller files than 3, in half the time.
  public var compression = 1

  public init(width: Int, height: Int, bitDepth: Int, kind: Kind) {
    self.width = width
    self.height = height
    self.bitDepth = bitDepth
    self.kind = kind
  }

  /// Returns the format of a band: one plane whose rows contain all channels of each sample.
  public func bandFormat(rows: Int) -> PictureFormat {
    PictureFormat(
      width: width * kind.channels, height: rows, chroma: .monochrome, bitDepth: bitDepth)
  }

  /// Throws for settings that are impossible in a PNG.
  func check() throws(MediaError) {
    let most = Int(Int32.max)
    guard (1...most).contains(width), (1...most).contains(height) else {
      throw MediaError(.misuse, "a PNG of \(width)x\(height) samples cannot be")
    }
    guard bitDepth == 8 || bitDepth == 16 else {
      throw MediaError(.misuse, "a PNG is written with 8 or 16 bits, not with \(bitDepth)")
    }
    guard (0...9).contains(compression) else {
      throw MediaError(.misuse, "the compression of a PNG is 0 to 9, not \(compression)")
    }
  }
}
