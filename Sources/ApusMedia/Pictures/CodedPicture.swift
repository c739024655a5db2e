// SPDX-License-Identifier: MIT

/// A coded picture, ready for a decoder.
public struct CodedPicture: Sendable {
  /// The coding of the samples.
  public var codec: PictureCodec
  /// The body of the decoder configuration record (`hvcC`, `avcC`, `av1C`) as in the file; empty if the codec has none.
  public var configuration: [UInt8]
  /// The coded samples in decoding order: the reference pictures, and finally the picture itself. They contain NAL
  /// units with length prefixes as stated in the configuration.
  public var samples: [[UInt8]]
  /// The maximum number of luma samples, before cropping, that a decoder may allocate.
  public var pixelLimit = Int.max
  /// The factor by which the sides of a decoded JPEG are reduced, rounded up: 1, 2, 4 or 8.
  public var reduction = 1

  public init(codec: PictureCodec, configuration: [UInt8] = [], samples: [[UInt8]]) {
    self.codec = codec
    self.configuration = configuration
    self.samples = samples
  }

  /// Returns the name of a sample in messages; empty if there is only one.
  public func name(ofSample index: Int) -> String {
    samples.count > 1 ? "sample \(index + 1) of \(samples.count) " : ""
  }
}

/// The coding of a picture.
public enum PictureCodec: Hashable, Sendable {
  case hevc, avc, av1, jpeg
  /// The colours of a PNG, or its alpha.
  case png, pngAlpha
  /// Uncompressed samples.
  case raster(Raster)
  /// Another coding; `samples` then contains one HEIF file with this picture as its only item, and the type is that of
  /// the item (`unci`, `j2k1`, `vvc1` …).
  case item(String)

  /// The name in messages, such as `H.264`.
  public var name: String {
    switch self {
    case .hevc: "HEVC"
    case .avc: "H.264"
    case .av1: "AV1"
    case .jpeg: "JPEG"
    case .png, .pngAlpha: "PNG"
    case .raster: "samples"
    case .item("vvc1"): "H.266"
    case .item("j2k1"): "JPEG 2000"
    case .item("unci"): "uncompressed"
    case .item("evc1"): "EVC"
    case .item(let type): type
    }
  }
}
