// SPDX-License-Identifier: MIT

internal import Bytes
internal import Colour
internal import JPEG
internal import Media
internal import Metadata

/// A pass over a gain map that makes a JPEG of it: grey, or of three colours where it has some.
///
/// Codes go out as they came in but for those of Apple, which become logarithms.
final class GainMapOutput: FirstPass {
  let wantsConvertedSamples = false
  private let jpeg: JPEGOutput
  private let settings: JPEGSettings
  private let description: GainMapDescription
  private let conversion: SampleConversion?
  private let codes: [UInt8]?
  private let bandHeight: Int
  private let hasColours = Monitor(false)
  private let gathered = MemoryDestination()

  /// - Parameters:
  ///   - format: of the map's canvas.
  ///   - isColour: whether it is known to hold colours.
  init(
    _ format: PictureFormat, colour: ColourDescription, bandHeight: Int, isColour: Bool,
    description: GainMapDescription, profile: [UInt8]?, quality: Int
  ) throws(PictureError) {
    self.description = description
    self.bandHeight = bandHeight
    // Codes are no light: nothing but matrix and range is looked at.
    let plan = try ColourPlan(
      ColourDescription(
        primaries: 1, transfer: 13, matrix: colour.matrix, isFullRange: colour.isFullRange))
    let chroma: Chroma = isColour ? .yuv444 : .monochrome
    conversion = try SampleConversion.between(format, plan, target: .jpeg(chroma))
    codes =
      description.origin.hasAppleCodes
      ? AppleGainCurve.logarithmicCodes(headroom: description.headroom) : nil
    var settings = JPEGSettings(
      width: format.width, height: format.height, chroma: chroma, quality: quality)
    try settings.cut(intoBandsOf: bandHeight)
    self.settings = settings
    jpeg = JPEGOutput(
      settings, segments: PreparedMetadata.gainMapSegments(description, profile: profile),
      bandHeight: bandHeight)
  }

  func beginning() throws(PictureError) -> [UInt8] { try jpeg.beginning() }
  func ending() throws(PictureError) -> [UInt8] { try jpeg.ending() }
  func write(_ bytes: Span<UInt8>) throws(PictureError) { try gathered.write(bytes) }

  func encode(_ band: ConvertedBand, on worker: Worker) throws(PictureError) -> [UInt8] {
    if settings.chroma == .monochrome, !band.picture.isNeutral {
      hasColours.withLock { $0 = true }
      return []
    }
    var picture = band.picture
    if let conversion {
      picture = Picture(conversion.outputFormat(height: band.picture.format.height))
      unsafe conversion.convert(
        band.picture.view, at: band.index * bandHeight, into: picture)
    }
    if let codes { picture.replaceCodes(by: codes) }
    return try jpeg.encode(ConvertedBand(index: band.index, picture: picture), on: worker)
  }

  func add(to results: inout PassResults) {
    results.gainMap =
      hasColours.withLock { $0 }
      ? .isColour
      : .made(
        EncodedGainMap(
          bytes: gathered.bytes, width: settings.width, height: settings.height,
          description: description))
  }
}

extension Picture {
  /// Whether colour samples are nowhere more than a code of eight bits away from their middle.
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

  /// Replaces every sample of eight bits in the first plane.
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
