// SPDX-License-Identifier: MIT

public import Media

/// The samples that an encoder wants.
public enum TargetSamples: Hashable, Sendable {
  /// Full-range BT.601 Y′CbCr of 8 bits (JFIF), with so many colour samples.
  case jpeg(Chroma)
  /// The planes of the source in 8 bits, their matrix and range kept.
  case planes
  /// Planes for an encoder of video.
  case coded(CodedSamples)
  /// The samples of a pixel side by side, of 8 bits, or of 16 in the machine's order.
  case pixels(PixelLayout, bitDepth: Int)

  public static let rgb8 = TargetSamples.pixels(.rgb, bitDepth: 8)
  public static let rgb16 = TargetSamples.pixels(.rgb, bitDepth: 16)
  public static let grey8 = TargetSamples.pixels(.grey, bitDepth: 8)
  public static let grey16 = TargetSamples.pixels(.grey, bitDepth: 16)

  public enum PixelLayout: Hashable, Sendable {
    case grey, greyAlpha, rgb, rgba

    /// The number of channels, without alpha.
    var colourCount: Int { self == .grey || self == .greyAlpha ? 1 : 3 }
    var hasAlpha: Bool { self == .greyAlpha || self == .rgba }
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

  /// The shape of the planes that hold the target of a picture: pixels are one plane with wider rows.
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

/// What is to be known of the alpha plane that goes with a picture.
public struct AlphaDescription: Hashable, Sendable {
  public var isFullRange: Bool
  /// Whether colours were multiplied by alpha already.
  public var isPremultiplied: Bool
  /// What shows through in a target without alpha: red, green, blue, in the colours of the output.
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
