// SPDX-License-Identifier: MIT

/// The transformation of R′G′B′ from one space to another through light. Curves are tables with linear interpolation,
/// so that no powers are computed for pictures.
final class LightTransform: Sendable {
  /// Whether light is tone mapped for SDR.
  let isToneMapping: Bool
  private let curves: LightCurves
  /// The gain map of an HDR picture, applied completely towards the SDR one.
  private let map: GainMapSamples?
  /// The matrix from linear light of the source to that of the target.
  private let matrix: [SIMD4<Float>]
  /// The weights of the target's red, green and blue in luminance.
  private let weights: SIMD3<Float>
  private let encoding: LightTable

  /// Creates the transformation of a picture whose values are displayed directly.
  ///
  /// - Parameter matrix: the matrix from the linear light of the source to that of the target.
  convenience init(
    red: TransferCurve, green: TransferCurve, blue: TransferCurve, matrix: Matrix3,
    to target: Primaries
  ) {
    let tables = [red, green, blue].map { curve in LightTable(count: 4096) { curve.light($0) } }
    self.init(.sdr(tables), matrix, target)
  }

  /// Creates the transformation of a picture in PQ or HLG.
  ///
  /// - Parameters:
  ///   - peak: the luminance that becomes white, in cd/m².
  ///   - map: the map that produces the SDR picture instead of the tone curve.
  convenience init(
    hdr curve: HDRCurve, from source: Primaries, peak: Double, map: GainMapSamples? = nil,
    to target: Primaries
  ) {
    self.init(
      .hdr(HDRTables(curve, tone: ToneCurve(peak: peak))), source.matrix(to: target), target,
      map: map)
  }

  private init(
    _ curves: LightCurves, _ matrix: Matrix3, _ target: Primaries, map: GainMapSamples? = nil
  ) {
    self.curves = curves
    self.map = map
    self.matrix = matrix.rows.map { SIMD4<Float>(SIMD4<Double>($0, 0)) }
    weights = SIMD3<Float>(target.luminance)
    encoding = LightTable(count: 16384) { TransferCurve.srgb.value($0) }
    isToneMapping = if case .hdr = curves { true } else { false }
  }

  /// Changes the three channels of a row.
  ///
  /// - Parameters:
  ///   - y: the index of the row in the whole picture.
  ///   - height: the height of the whole picture.
  @unsafe func apply(
    _ rows: borrowing ChannelRows, _ row: Int, count: Int, at y: Int, of height: Int
  ) {
    switch curves {
    case .sdr(let tables):
      for channel in 0..<3 {
        unsafe tables[channel].look(up: rows.value(row, channel), count: count)
      }
    case .hdr(let tables):
      unsafe tables.light(rows, row, count: count)
      if let map {
        map.apply(weight: -1, to: rows, row, width: count, at: y, of: height)
      } else {
        unsafe tables.darken(rows, row, count: count)
      }
    }
    unsafe LightKernels.turn(
      rows.value(row, 0), rows.value(row, 1), rows.value(row, 2), count: count, by: matrix,
      weights: weights)
    for channel in 0..<3 { unsafe encoding.look(up: rows.value(row, channel), count: count) }
  }
}

/// The curves from R′G′B′ to light in which 1 is white.
enum LightCurves: Sendable {
  case sdr([LightTable])
  case hdr(HDRTables)
}

enum HDRCurve: Hashable, Sendable {
  case pq, hlg
}
