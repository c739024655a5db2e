// SPDX-License-Identifier: MIT

/// A size in samples.
public struct PixelSize: Hashable, Sendable {
  /// The number of samples in a row.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// Creates a size in samples.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

extension PixelSize: CustomStringConvertible {
  public var description: String { "\(width)x\(height)" }
}

extension SequenceFormat {
  /// The number of bits of a luma sample (`BitDepthY`).
  public var bitDepthLuma: Int { Int(bitDepthLumaMinus8) + 8 }
  /// The number of bits of a chroma sample (`BitDepthC`).
  public var bitDepthChroma: Int { Int(bitDepthChromaMinus8) + 8 }

  /// `4:2:0` and so on.
  public var chromaFormatName: String { ChromaFormat.name(of: chromaFormatIDC) }

  /// The number of luma samples per chroma sample in each direction (`SubWidthC`, `SubHeightC`): Table 6-1.
  public var chromaSampling: PixelSize { ChromaFormat.sampling(of: chromaFormatIDC) }

  /// The size of the decoded picture.
  public var codedSize: PixelSize {
    PixelSize(width: Int(picWidthInLumaSamples), height: Int(picHeightInLumaSamples))
  }

  /// The size of the picture after applying the conformance window; `nil` if nothing is left.
  public var displaySize: PixelSize? {
    let window = conformanceWindow
    let sampling = chromaSampling
    let width =
      codedSize.width - sampling.width * (Int(window.leftOffset) + Int(window.rightOffset))
    let height =
      codedSize.height - sampling.height * (Int(window.topOffset) + Int(window.bottomOffset))
    return width > 0 && height > 0 ? PixelSize(width: width, height: height) : nil
  }
}

/// Names and sampling of `chroma_format_idc`: ITU-T H.265, Table 6-1.
public enum ChromaFormat {
  /// Returns the name, such as `4:2:0`; for a reserved value, `reserved` with the number.
  public static func name(of idc: UInt8) -> String {
    switch idc {
    case 0: "4:0:0"
    case 1: "4:2:0"
    case 2: "4:2:2"
    case 3: "4:4:4"
    default: "reserved \(idc)"
    }
  }

  /// Returns the number of luma samples per chroma sample in each direction (`SubWidthC`, `SubHeightC`).
  public static func sampling(of idc: UInt8) -> PixelSize {
    PixelSize(width: idc == 1 || idc == 2 ? 2 : 1, height: idc == 1 ? 2 : 1)
  }
}

extension SequenceParameterSet {
  /// The number of bits of a luma sample (`BitDepthY`).
  public var bitDepthLuma: Int { format.bitDepthLuma }
  /// The number of bits of a chroma sample (`BitDepthC`).
  public var bitDepthChroma: Int { format.bitDepthChroma }
  /// The chroma format, such as `4:2:0`.
  public var chromaFormatName: String { format.chromaFormatName }
  /// The size of the picture after applying the conformance window; `nil` if nothing is left.
  public var displaySize: PixelSize? { format.displaySize }

  /// The aspect ratio of a sample, width to height; `nil` if it is not stated.
  public var sampleAspectRatio: (width: Int, height: Int)? {
    guard vuiParametersPresentFlag, vui.aspectRatioInfoPresentFlag else { return nil }
    if vui.aspectRatioIDC == 255 { return (Int(vui.sarWidth), Int(vui.sarHeight)) }
    return Self.sampleAspectRatio(of: vui.aspectRatioIDC)
  }

  /// Returns the aspect ratio for an `aspect_ratio_idc` of 1 to 16, which AVC uses as well: Table E.1.
  public static func sampleAspectRatio(of idc: UInt8) -> (width: Int, height: Int)? {
    let index = Int(idc) - 1
    return aspectRatios.indices.contains(index) ? aspectRatios[index] : nil
  }

  private static let aspectRatios: [(width: Int, height: Int)] = [
    (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33),
    (18, 11), (15, 11), (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
  ]
}
