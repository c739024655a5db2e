// SPDX-License-Identifier: MIT

public import ApusMedia

/// The samples that an encoder needs.
public enum TargetSamples: Hashable, Sendable {
  /// Full-range BT.601 Y′CbCr with 8 bits (JFIF), and this colour subsampling.
  case jpeg(Chroma)
  /// The planes of the source with 8 bits, in the same matrix and range.
  case planes
  /// Planes for a video encoder.
  case coded(CodedSamples)
  /// Interleaved pixels with 8 bits, or with 16 in native byte order.
  case pixels(PixelLayout, bitDepth: Int)

  /// Red, green and blue with 8 bits each.
  public static let rgb8 = TargetSamples.pixels(.rgb, bitDepth: 8)
  /// Red, green and blue with 16 bits each.
  public static let rgb16 = TargetSamples.pixels(.rgb, bitDepth: 16)
  /// Grey with 8 bits.
  public static let grey8 = TargetSamples.pixels(.grey, bitDepth: 8)
  /// Grey with 16 bits.
  public static let grey16 = TargetSamples.pixels(.grey, bitDepth: 16)

  /// The channels of a pixel, in memory order.
  public enum PixelLayout: Hashable, Sendable {
    case grey, greyAlpha, rgb, rgba

    /// The number of channels, without alpha.
    var colourCount: Int { self == .grey || self == .greyAlpha ? 1 : 3 }
    var hasAlpha: Bool { self == .greyAlpha || self == .rgba }
    /// The number of channels, including alpha.
    public var sampleCount: Int { colourCount + (hasAlpha ? 1 : 0) }
  }

  var bitDepth: Int {
    switch self {
    case .pixels(_, let depth): depth
    case .coded(let coded): coded.bitDepth
    case .jpeg, .planes: 8
    }
  }

  /// The chroma format of separate planes; `nil` for pixels.
  var chroma: Chroma? {
    switch self {
    case .jpeg(let chroma): chroma
    case .coded(let coded): coded.chroma
    case .planes, .pixels: nil
    }
  }

  var hasAlpha: Bool {
    if case .pixels(let layout, _) = self { layout.hasAlpha } else { false }
  }

  /// Returns the format of the planes for the target of a picture; pixels are one plane with wider rows.
  public func format(of source: PictureFormat) -> PictureFormat {
    var format = source
    format.bitDepth = bitDepth
    switch self {
    case .jpeg(let chroma):
      format.chroma = chroma
      format.isRGB = false
    case .coded(let coded):
      format.chroma = coded.chroma
      format.isRGB = coded.matrix == .identity
    case .planes: break
    case .pixels(let layout, _):
      format.chroma = .monochrome
      format.isRGB = false
      format.width *= layout.sampleCount
    }
    return format
  }
}

/// The properties of a picture's alpha plane.
public struct AlphaDescription: Hashable, Sendable {
  /// Whether the samples of alpha use all codes instead of the narrower range of video.
  public var isFullRange: Bool
  /// Whether colours are premultiplied with alpha.
  public var isPremultiplied: Bool
  /// The background in a target without alpha: red, green and blue in the colours of the output.
  public var background: [UInt8]

  public init(
    isFullRange: Bool = true, isPremultiplied: Bool = false,
    background: [UInt8] = [255, 255, 255]
  ) {
    self.isFullRange = isFullRange
    self.isPremultiplied = isPremultiplied
    self.background = background
  }
}
