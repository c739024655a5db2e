// SPDX-License-Identifier: MIT

internal import ApusColour
internal import ApusMedia

/// The conversion of a gain map's samples before coding: full range and the same number of channels; codes are
/// unchanged, unless those of Apple become logarithms or vice versa.
struct GainMapConversion: Sendable {
  /// The format of the result.
  let format: PictureFormat
  private let conversion: SampleConversion?
  private let codes: [UInt8]?
  private let bandHeight: Int

  /// - Parameters:
  ///   - format: the format of the map's canvas.
  ///   - chroma: the subsampling of the result.
  ///   - codes: the replacement for each code; `nil` to keep codes.
  init(
    _ format: PictureFormat, colour: ColourDescription, bandHeight: Int, chroma: Chroma,
    codes: [UInt8]?
  ) throws {
    // Codes are not light, so only the matrix and the range matter.
    let plan = try ColourPlan(
      ColourDescription(
        primaries: 1, transfer: 13, matrix: colour.matrix, isFullRange: colour.isFullRange))
    conversion = try SampleConversion.between(format, plan, target: .jpeg(chroma))
    self.codes = codes
    self.bandHeight = bandHeight
    var output = format
    (output.chroma, output.bitDepth, output.isRGB) = (chroma, 8, false)
    self.format = output
  }

  /// Returns the converted picture; `nil` if a map that was assumed to be grey turns out to have colours.
  func picture(of band: ConvertedBand) -> Picture? {
    if format.chroma == .monochrome, !band.picture.isNeutral { return nil }
    var picture = band.picture
    if let conversion {
      picture = Picture(conversion.outputFormat(height: band.picture.format.height))
      unsafe conversion.convert(
        band.picture.view, at: band.index * bandHeight, into: picture)
    }
    if let codes { picture.replaceCodes(by: codes) }
    return picture
  }
}

extension Picture {
  /// Whether no colour sample differs from neutral by more than one code of eight bits.
  var isNeutral: Bool {
    let middle = 128 << (format.bitDepth - 8)
    let tolerance = 1 << (format.bitDepth - 8)
    for plane in 1..<max(format.planeCount, 1) {
      for row in 0..<format.height(ofPlane: plane) {
        let line = unsafe self.plane(plane) + row * strides[plane]
        var farthest = 0
        for x in 0..<format.width(ofPlane: plane) {
          let sample =
            format.bytesPerSample == 1
            ? Int(unsafe line.load(fromByteOffset: x, as: UInt8.self))
            : Int(unsafe line.load(fromByteOffset: 2 * x, as: UInt16.self))
          farthest = max(farthest, abs(sample - middle))
        }
        if farthest > tolerance { return false }
      }
    }
    return true
  }

  /// Replaces every 8-bit sample in the first plane.
  fileprivate func replaceCodes(by codes: [UInt8]) {
    for row in 0..<format.height {
      let line = unsafe plane(0) + row * strides[0]
      for x in 0..<format.width {
        let code = unsafe line.load(fromByteOffset: x, as: UInt8.self)
        unsafe line.storeBytes(of: codes[Int(code)], toByteOffset: x, as: UInt8.self)
      }
    }
  }
}
