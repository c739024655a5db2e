// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusJPEG

/// Decodes JPEGs (ITU-T T.81) to planes as coded: colours are not converted, and not interpolated if the sampling is
/// 4:0:0, 4:2:0, 4:2:2 or 4:4:4. Colour with other sampling is interpolated to 4:4:4. CMYK becomes red, green and blue
/// without a profile.
///
/// A picture counts as damaged if libjpeg gives any warning, or its codes are invalid. A progressive one keeps all its
/// coefficients in memory.
public final class JPEGDecoder: PictureDecoder {
  /// The library with its version.
  public let name = unsafe String(cString: apus_jpeg_version())
  private let decoder: LibJPEGDecoder
  private let isSalvaging: Bool
  private let megapixels: Int
  /// The last decoded picture if it was small, because its memory may be reused. A large one would occupy memory while
  /// the picture painted from it is encoded.
  private var last: Picture?

  /// The maximum number of luma samples of a picture whose memory is kept.
  private static let mostKept = 1 << 21

  /// - Parameter megapixels: the maximum size of a picture, in millions of luma samples.
  public init(salvaging: Bool = false, megapixels: Int = 512) throws(MediaError) {
    decoder = try LibJPEGDecoder(strict: !salvaging)
    isSalvaging = salvaging
    self.megapixels = megapixels
  }

  /// Decodes a JPEG, reduced if the picture requests it. A salvaging decoder passes a damaged picture, grey where
  /// nothing was decoded, and then throws.
  public func decode(
    _ picture: CodedPicture, _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError) {
    guard picture.codec == .jpeg, let sample = picture.samples.last else {
      throw MediaError(.misuse, "a decoder of JPEG was given \(picture.codec.name)")
    }
    // A `jpgC` contains the data that all pictures of a file share, to be put before each.
    let bytes = picture.configuration.isEmpty ? sample : picture.configuration + sample
    try unsafe bytes.withUnsafeBufferPointer { bytes throws(MediaError) in
      var image = try unsafe decoder.open(bytes)
      let isReduced = picture.reduction > 1
      if isReduced { try decoder.reduce(&image, by: picture.reduction) }
      try unsafe decode(image, isReduced: isReduced, of: bytes, body)
    }
  }

  @unsafe private func decode(
    _ image: apus_jpeg_image, isReduced: Bool, of bytes: UnsafeBufferPointer<UInt8>,
    _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError) {
    var chroma = try Chroma(of: image)
    // The planes of a reduced picture have one of three samplings, which libjpeg unifies.
    if isReduced { chroma = chroma == .monochrome ? chroma : nil }
    var format = PictureFormat(
      width: Int(image.width), height: Int(image.height), chroma: chroma ?? .yuv444, bitDepth: 8)
    format.isRGB = [APUS_JPEG_CMYK, APUS_JPEG_RGB].contains(Int(image.colour))
    guard (format.width * format.height - 1) / 1_000_000 < megapixels else {
      throw MediaError(
        .limit,
        "a JPEG of \(format.width)x\(format.height) samples, the limit is \(megapixels) megapixels")
    }
    let picture = last?.format == format ? last ?? Picture(format) : Picture(format)
    last = format.width * format.height <= Self.mostKept ? picture : nil
    do throws(MediaError) {
      if isSalvaging { picture.makeGray() }
      try decoder.decode(into: picture, full: chroma == nil)
      try decoder.checkWarning()
      if let damage = unsafe JPEGDamage(bytes) { throw damage.error }
    } catch {
      if isSalvaging { try unsafe body(picture.view) }
      throw error
    }
    try unsafe body(picture.view)
  }
}

extension Chroma {
  /// Determines the subsampling; `nil` if it is not a `chroma_format_idc`, for RGB and for CMYK.
  init?(of image: apus_jpeg_image) throws(MediaError) {
    switch Int(image.colour) {
    case APUS_JPEG_GRAY: self = .monochrome
    case APUS_JPEG_YCBCR:
      switch (image.across, image.down) {
      case (1, 1): self = .yuv444
      case (2, 1): self = .yuv422
      case (2, 2): self = .yuv420
      default: return nil
      }
    case APUS_JPEG_RGB, APUS_JPEG_CMYK: return nil
    default:
      throw MediaError(
        .unsupported,
        "the JPEG has \(image.components) components; only YCbCr, RGB, gray and CMYK are decoded")
    }
  }
}

extension Picture {
  /// Fills the picture with grey, which is visible where nothing was decoded.
  fileprivate func makeGray() {
    for plane in strides.indices {
      let count =
        strides[plane] * (format.height(ofPlane: plane) - 1) + format.width(ofPlane: plane)
      unsafe self.plane(plane).initializeMemory(as: UInt8.self, repeating: 128, count: count)
    }
  }
}
