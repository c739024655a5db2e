// SPDX-License-Identifier: MIT

/// A picture as it is coded, ready for a decoder.
public struct CodedPicture: Sendable {
  public var codec: PictureCodec
  /// The body of the decoder configuration record (`hvcC`, `avcC`, `av1C`) as the file holds it; empty where
  /// the codec has none.
  public var configuration: [UInt8]
  /// Coded samples in decoding order: what the picture is predicted from, and last the picture itself. NAL
  /// units lie in them as the configuration says, after their lengths.
  public var samples: [[UInt8]]
  /// How many luma samples, before cropping, a decoder may have to allocate for.
  public var pixelLimit = Int.max
  /// The factor by which the sides of a decoded JPEG are smaller, rounded up: 1, 2, 4 or 8.
  public var reduction = 1

  public init(codec: PictureCodec, configuration: [UInt8] = [], samples: [[UInt8]]) {
    self.codec = codec
    self.configuration = configuration
    self.samples = samples
  }

  /// What a message calls one of several samples; nothing where there is but one.
  public func name(ofSample index: Int) -> String {
    samples.count > 1 ? "sample \(index + 1) of \(samples.count) " : ""
  }
}

/// How a picture is coded.
public enum PictureCodec: Hashable, Sendable {
  case hevc, avc, av1, jpeg
  /// The colours of a PNG, or its alpha.
  case png, pngAlpha
  /// Samples that are not coded.
  case raster(Raster)
  /// Anything else; `samples` then holds one HEIF file with this picture as its only item, and the type is
  /// that of the item (`unci`, `j2k1`, `vvc1` …).
  case item(String)

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
