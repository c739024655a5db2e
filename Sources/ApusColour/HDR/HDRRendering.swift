// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusMath

/// Renders a picture with its gain map for a display with some headroom, in PQ of BT.2020: ISO 21496-1, 6.
final class HDRRendering: Sendable {
  private let map: GainMapSamples?
  private let weight: Float
  private let reader: ChannelReader
  let interpolation: ColourInterpolation
  private let curves: [LightTable]
  private let matrix: [SIMD4<Float>]
  private let encoding: LightTable
  private let height: Int

  /// The peak of PQ relative to white.
  private static let top = 10000 / ToneCurve.white

  init(
    _ format: PictureFormat, _ colour: ColourDescription, profile: ICCProfile?,
    map: GainMapSamples?, headroom: Double, interpolation: ColourInterpolation
  ) throws(MediaError) {
    self.map = map
    self.interpolation = interpolation
    height = format.height
    weight = Float(map?.parameters.weight(atHeadroom: headroom) ?? 0)
    let coefficients = try MatrixCoefficients(of: colour, for: format)
    reader = ChannelReader(
      format, coefficients.decoding(bitDepth: format.bitDepth, isFullRange: colour.isFullRange),
      channels: 3)
    var curves = [TransferCurve](repeating: TransferCurve(shownFor: colour.transfer), count: 3)
    var toD50 = (Primaries(codePoint: colour.primaries) ?? .bt709).rgbToD50
    switch profile?.model {
    case .rgb(let matrix, let red, let green, let blue):
      (toD50, curves) = (matrix, [red, green, blue])
    case .grey(let curve): (toD50, curves) = (Primaries.bt709.rgbToD50, [curve, curve, curve])
    case nil: break
    }
    self.curves = curves.map { curve in LightTable(count: 4096) { curve.light($0) } }
    let target = (Primaries.bt2020.rgbToD50.inverse ?? .identity) * toD50
    matrix = target.rows.map { SIMD4<Float>(SIMD4<Double>($0, 0)) }
    encoding = LightTable(count: 16384) { PQ.value(10000 * $0 * $0 * $0 * $0) }
  }

  /// - Parameter y: the index of the first row in the whole picture.
  @unsafe func convert(
    _ band: PictureView, edges: ColourEdges, at y: Int, into output: Picture
  ) {
    let rows = ChannelRows(reader, interpolation)
    let width = reader.format.width
    for top in stride(from: 0, to: unsafe band.format.height, by: 2) {
      let count = min(2, unsafe band.format.height - top)
      unsafe rows.readColours(band, edges: edges, top: top, count: count, widening: 0..<3)
      unsafe rows.readChannels(band, top: top, count: count, channels: 0..<3)
      for row in 0..<count {
        for channel in 0..<3 {
          unsafe curves[channel].look(up: rows.value(row, channel), count: width)
        }
        if let map, weight != 0 {
          map.apply(weight: weight, to: rows, row, width: width, at: y + top + row, of: height)
        }
        store(rows, row, into: output, at: top + row)
      }
    }
  }

  private func store(
    _ rows: borrowing ChannelRows, _ row: Int, into output: Picture, at place: Int
  ) {
    let width = reader.format.width
    for channel in 0..<3 {
      unsafe RowKernels.mix(
        rows.value(row, 0), rows.value(row, 1), rows.value(row, 2), count: width,
        by: matrix[channel], into: rows.spare(channel))
    }
    let line = unsafe output.plane(0) + place * output.strides[0]
    for channel in 0..<3 {
      let values = unsafe rows.spare(channel)
      unsafe LightKernels.fourthRoot(values, count: width, scale: Float(1 / Self.top))
      unsafe encoding.look(up: values, count: width)
      for x in 0..<width {
        let value = UInt16(min(max(unsafe values[x] * 65535, 0), 65535).rounded())
        unsafe line.storeBytes(of: value, toByteOffset: 2 * (3 * x + channel), as: UInt16.self)
      }
    }
  }
}
