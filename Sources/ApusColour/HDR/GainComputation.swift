// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusMath

/// Computes the gain map of a PQ or HLG picture: the ratio of each pixel's brightness to that after the tone curve, at
/// half the width and height of the picture.
///
/// The curve scales red, green and blue of a pixel equally, and colours keep their luminance when converted to the
/// output's space, so one number per pixel is sufficient.
public final class GainComputation: Sendable {
  /// The parameters with which the map turns the SDR picture into the HDR picture.
  public let parameters: GainMapParameters
  private let reader: ChannelReader
  private let tables: HDRTables
  private let weights: SIMD4<Float>

  /// An offset that keeps noise in dark pixels from producing gains: Adobe, Gain Map 1.0.
  private static let offset = 1.0 / 64

  /// Creates the computation; `nil` for a picture that is not HDR, or not brighter than SDR.
  ///
  /// - Parameter peak: the peak brightness of the picture in cd/m², used for tone mapping.
  public init?(_ format: PictureFormat, colour: ColourDescription, peak: Double)
    throws(MediaError)
  {
    let headroom = peak / ToneCurve.white
    guard colour.isHDR, headroom > 1.01 else { return nil }
    let matrix = try MatrixCoefficients(of: colour, for: format)
    reader = ChannelReader(
      format, matrix.decoding(bitDepth: format.bitDepth, isFullRange: colour.isFullRange),
      channels: 3)
    tables = HDRTables(
      colour.transfer == 16 ? .pq : .hlg, tone: ToneCurve(peak: peak))
    let primaries = Primaries(codePoint: colour.primaries) ?? .bt709
    weights = SIMD4<Float>(SIMD4<Double>(primaries.luminance, 0))
    let maximum = log2((headroom + Self.offset) / (1 + Self.offset))
    parameters = GainMapParameters(
      channels: [
        .init(maximum: maximum, baseOffset: Self.offset, alternateOffset: Self.offset)
      ], alternateHeadroom: log2(headroom))
  }

  /// Returns the format of the map for a number of rows.
  public func mapFormat(height: Int) -> PictureFormat {
    PictureFormat(
      width: (reader.format.width + 1) / 2, height: (height + 1) / 2, chroma: .monochrome,
      bitDepth: 8)
  }

  /// Computes the map of a band, which must begin at an even row.
  @unsafe public func compute(_ band: PictureView, into map: Picture) {
    var format = reader.format
    format.height = unsafe band.format.height
    precondition(unsafe band.format == format)
    precondition(map.format == mapFormat(height: format.height))
    let rows = ChannelRows(reader)
    let width = format.width
    let offset = Float(Self.offset)
    let factor = Float(255 / (parameters.channels.first?.maximum ?? 1))
    for top in stride(from: 0, to: format.height, by: 2) {
      let count = min(2, format.height - top)
      unsafe rows.readColours(band, top: top, count: count, widening: 0..<3)
      unsafe rows.readChannels(band, top: top, count: count, channels: 0..<3)
      for row in 0..<count {
        unsafe tables.light(rows, row, count: width)
        let bright = unsafe rows.alpha(row)
        unsafe RowKernels.mix(
          rows.value(row, 0), rows.value(row, 1), rows.value(row, 2), count: width, by: weights,
          into: bright)
        // The result of `light` becomes the factor, which becomes the luminance of the base.
        let scale = unsafe tables.scale(rows, count: width)
        let dark = unsafe rows.value(row, 0)
        for x in 0..<width { unsafe dark[x] = bright[x] * scale[x] }
      }
      let last = count - 1
      let (bright, brightBelow) = unsafe (rows.alpha(0), rows.alpha(last))
      let (dark, darkBelow) = unsafe (rows.value(0, 0), rows.value(last, 0))
      let line = unsafe map.plane(0) + (top / 2) * map.strides[0]
      for x in 0..<map.format.width {
        let (left, right) = (2 * x, min(2 * x + 1, width - 1))
        let hdr = unsafe bright[left] + bright[right] + brightBelow[left] + brightBelow[right]
        let sdr = unsafe dark[left] + dark[right] + darkBelow[left] + darkBelow[right]
        let gain = log2f((max(hdr, 0) / 4 + offset) / (max(sdr, 0) / 4 + offset))
        let code = min(max((gain * factor).rounded(), 0), 255)
        unsafe line.storeBytes(of: UInt8(code), toByteOffset: x, as: UInt8.self)
      }
    }
  }
}
