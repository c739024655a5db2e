// SPDX-License-Identifier: MIT

internal import ApusColour
internal import ApusFFmpeg
internal import ApusMedia

/// Converts pictures in PQ and HLG to SDR in the same way as photos: by the curve of ITU-R BT.2390, with SDR white at
/// 203 cd/m², in BT.709.
struct ToneMapping {
  /// The number of bits per sample of the result.
  private let bitDepth: Int
  private let frameRate: Fraction
  private var conversion: SampleConversion?
  /// The format and the colour description of the pictures that `conversion` accepts.
  private var source: (format: PictureFormat, colour: ColourDescription)?
  /// Converts samples in another layout to planes.
  private var planes: VideoFilter?

  /// The colour description of the result.
  private static let colour = ColourDescription(
    primaries: 1, transfer: 1, matrix: 1, isFullRange: false)

  /// - Parameters:
  ///   - bitDepth: the requested bits per sample.
  ///   - depths: the bits per sample that the encoder supports.
  init(bitDepth: Int?, depths: [Int], frameRate: Fraction) {
    self.bitDepth = depths.first { $0 >= bitDepth ?? 8 } ?? depths.last ?? 8
    self.frameRate = frameRate
  }

  /// Returns the picture in SDR; the same one if it is not HDR.
  mutating func mapped(_ frame: VideoFrame) throws(MediaError) -> VideoFrame {
    guard let colour = frame.traits.colour, colour.isHDR else { return frame }
    guard let format = frame.format else { return try mapped(inPlanes(frame)) }
    let conversion = try conversion(of: format, colour, frame.traits)
    let mapped = Picture(conversion.outputFormat(height: format.height))
    _ = unsafe frame.withView { view in unsafe conversion.convert(view, at: 0, into: mapped) }
    var traits = PictureTraits()
    traits.colour = Self.colour
    traits.sampleAspect = frame.traits.sampleAspect
    traits.fields = frame.traits.fields
    let result = try VideoFrame(
      mapped.format, time: frame.time, duration: frame.duration, traits: traits)
    for plane in 0..<mapped.format.planeCount {
      let stride = mapped.strides[plane]
      try result.withMutableRows(ofPlane: plane) { row, bytes throws(MediaError) in
        unsafe bytes.withUnsafeMutableBytes { target in
          unsafe target.copyMemory(
            from: UnsafeRawBufferPointer(
              start: mapped.plane(plane) + row * stride, count: target.count))
        }
      }
    }
    return result
  }

  private mutating func conversion(
    of format: PictureFormat, _ colour: ColourDescription, _ traits: PictureTraits
  ) throws(MediaError) -> SampleConversion {
    if let conversion, let source, source.format == format, source.colour == colour {
      return conversion
    }
    var wishes = ColourPlan.Wishes()
    wishes.convertsToSRGB = true
    if colour.transfer == 16 { wishes.peak = Self.peak(traits) }
    let target = CodedSamples(
      format.chroma, bitDepth: bitDepth,
      matrix: try MatrixCoefficients(of: Self.colour),
      isFullRange: false)
    guard
      let made = try SampleConversion.between(
        format, try ColourPlan(colour, wishes: wishes), target: .coded(target))
    else {
      throw MediaError(.unsupported, "pictures in \(colour.transferName) cannot be tone mapped")
    }
    (conversion, source) = (made, (format, colour))
    return made
  }

  /// Returns the light that becomes white, in cd/m²: that of the brightest pixel according to the stream or, if it is
  /// unknown, that of the mastering display.
  private static func peak(_ traits: PictureTraits) -> Double {
    let brightest = traits.contentLight.map { Int($0.maximum) }
    let display = traits.masteringDisplay.map { Int($0.maximumLuminance / 10_000) }
    let isSaid = (204...10_000).contains(brightest ?? 0)
    return ColourPlan.peak(contentLight: isSaid ? brightest : display)
  }

  private mutating func inPlanes(_ frame: VideoFrame) throws(MediaError) -> VideoFrame {
    if planes == nil {
      planes = try VideoFilter("", pixelFormats: ["yuv444p16le"], frameRate: frameRate)
    }
    guard let filter = planes else { return frame }
    try filter.push(frame)
    guard let plain = try filter.next(), plain.format != nil else {
      throw MediaError(.unsupported, "\(frame.pixelFormat) cannot be tone mapped", at: frame.time)
    }
    return plain
  }
}
