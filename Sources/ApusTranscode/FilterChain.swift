// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
internal import ApusMedia
internal import HEVC
internal import ISOBMFF

/// The processing of decoded pictures before they are encoded, as a chain of libavfilter's filters.
struct FilterChain: Hashable, Sendable {
  /// The chain without the filters that fit pictures into the bound, which depend on the size of the pictures.
  let description: String

  /// - Parameter frame: the first decoded picture, tone mapped if that was requested.
  init(
    _ settings: VideoSettings, for frame: VideoFrame, matrix: TransformationMatrix
  ) throws(MediaError) {
    var filters: [String] = []
    if settings.isDeinterlaced { filters.append("bwdif=mode=send_frame") }
    if let crop = settings.crop {
      guard crop.x >= 0, crop.y >= 0, !crop.isEmpty, crop.maxX <= frame.width,
        crop.maxY <= frame.height
      else {
        throw MediaError(
          .misuse,
          "the crop \(crop.width)x\(crop.height)+\(crop.x)+\(crop.y) lies outside of pictures of "
            + "\(frame.width)x\(frame.height)")
      }
      filters.append("crop=\(crop.width):\(crop.height):\(crop.x):\(crop.y):exact=1")
    }
    if let rate = settings.frameRate { filters.append("fps=\(rate)") }
    if settings.bakes(matrix) { filters += Self.turns(matrix) }
    if !settings.filter.isEmpty { filters.append(settings.filter) }
    description = filters.joined(separator: ",")
  }

  private static func turns(_ matrix: TransformationMatrix) -> [String] {
    switch (matrix.a.signum(), matrix.b.signum(), matrix.c.signum(), matrix.d.signum()) {
    case (0, 1, -1, 0): ["transpose=clock"]
    case (-1, 0, 0, -1): ["hflip", "vflip"]
    case (0, -1, 1, 0): ["transpose=cclock"]
    case (-1, 0, 0, 1): ["hflip"]
    case (1, 0, 0, -1): ["vflip"]
    case (0, 1, 1, 0): ["transpose=cclock_flip"]
    case (0, -1, -1, 0): ["transpose=clock_flip"]
    default: []
    }
  }

  /// Returns the forms of samples that the encoder may get, by the library's names.
  ///
  /// - Parameters:
  ///   - frame: the first decoded picture, tone mapped if that was requested.
  ///   - depths: the bits per sample that the encoder supports.
  static func pixelFormats(
    _ settings: VideoSettings, _ frame: VideoFrame, _ depths: [Int]
  ) -> [String] {
    let source = frame.fullestFormat
    var chroma = settings.chroma ?? .yuv420
    if settings.chroma == nil, let source, !source.isRGB { chroma = source.chroma }
    let wanted = settings.bitDepth ?? source?.bitDepth ?? 8
    let depth = depths.first { $0 >= wanted } ?? depths.last ?? 8
    let suffix = depth > 8 ? "\(depth)le" : ""
    if chroma == .monochrome { return ["gray" + suffix] }
    let name = "yuv\(chroma.name)p" + suffix
    // Full-range variants have it in their names, as decoders report them.
    return depth == 8 && frame.pixelFormat.hasPrefix("yuvj") ? ["yuvj\(chroma.name)p"] : [name]
  }

  /// Returns the filter that fits pictures into the bound, or makes their sides even; `nil` if none is needed.
  static func fit(_ settings: VideoSettings, _ frame: VideoFrame) -> String? {
    let (width, height) = (frame.width, frame.height)
    guard let bound = settings.bound else {
      let even = SizeBound(width, height).fitted(width: width, height: height)
      return even == (width, height) ? nil : "crop=\(even.width):\(even.height):0:0:exact=1"
    }
    let size = bound.fitted(width: width, height: height)
    guard size != (width, height) else { return nil }
    // A size that is odd by one loses a column or a row rather than its sharpness.
    return width - size.width < 2 && height - size.height < 2
      ? "crop=\(size.width):\(size.height):0:0:exact=1"
      : "scale=\(size.width):\(size.height):flags=bicubic"
  }
}
