// SPDX-License-Identifier: MIT

/// Tables from PQ and HLG to light in which 1 is SDR white, and for tone mapping.
struct HDRTables: Sendable {
  private let curve: HDRCurve
  /// The light of each value; for HLG, that of the scene.
  private let values: LightTable
  /// The factor of HLG's scene light by the fourth root of its luminance; a table of the luminance itself would be too
  /// coarse in the dark.
  private let system: LightTable
  /// The factor of red, green and blue by the greatest of them: by its value in PQ, by the fourth root of its light in
  /// HLG.
  private let scales: LightTable
  private let luminance: SIMD4<Float>

  init(_ curve: HDRCurve, tone: ToneCurve) {
    self.curve = curve
    let white = ToneCurve.white
    let maps = tone.peak > white
    switch curve {
    case .pq:
      values = LightTable(count: 4096) { PQ.luminance($0) / white }
      scales = LightTable(count: 4096) { maps ? tone.scale(atMaximum: PQ.luminance($0)) : 1 }
    case .hlg:
      values = LightTable(count: 4096) { HLG.scene($0) }
      scales = LightTable(count: 4096) {
        maps ? tone.scale(atMaximum: HLG.peak * $0 * $0 * $0 * $0) : 1
      }
    }
    system = LightTable(count: 4096) {
      HLG.luminance(1, ofSceneLuminance: $0 * $0 * $0 * $0) / white
    }
    // BT.2100 defines the luminance of a scene with its own primaries, whatever the picture's are.
    luminance = SIMD4<Float>(SIMD4<Double>(Primaries.bt2020.luminance, 0))
  }

  /// Replaces the values of a row by light, and stores the data that `darken` needs in the first spare row.
  @unsafe func light(_ rows: borrowing ChannelRows, _ row: Int, count: Int) {
    let greatest = unsafe rows.spare(0)
    if curve == .pq { unsafe findGreatest(rows, row, count: count) }
    for channel in 0..<3 { unsafe values.look(up: rows.value(row, channel), count: count) }
    guard curve == .hlg else { return }
    let factors = unsafe greatest
    unsafe RowKernels.mix(
      rows.value(row, 0), rows.value(row, 1), rows.value(row, 2), count: count, by: luminance,
      into: factors)
    unsafe LightKernels.fourthRoot(factors, count: count, scale: 1)
    unsafe system.look(up: factors, count: count)
    for channel in 0..<3 {
      unsafe LightKernels.multiply(rows.value(row, channel), by: factors, count: count)
    }
    unsafe findGreatest(rows, row, count: count)
    unsafe LightKernels.fourthRoot(
      greatest, count: count, scale: Float(ToneCurve.white / HLG.peak))
  }

  /// Stores the same data as `light` in the first spare row. For PQ, the light need not be computed; for HLG, the
  /// values are replaced by light.
  @unsafe func measure(_ rows: borrowing ChannelRows, _ row: Int, count: Int) {
    switch curve {
    case .pq: unsafe findGreatest(rows, row, count: count)
    case .hlg: unsafe light(rows, row, count: count)
    }
  }

  @unsafe private func findGreatest(_ rows: borrowing ChannelRows, _ row: Int, count: Int) {
    unsafe LightKernels.greatest(
      rows.value(row, 0), rows.value(row, 1), rows.value(row, 2), count: count,
      into: rows.spare(0))
  }

  /// Returns the factor that maps the light of each pixel to the SDR range; it replaces the data from `light` in the
  /// spare row.
  @unsafe func scale(_ rows: borrowing ChannelRows, count: Int) -> RowKernels.Row {
    let greatest = unsafe rows.spare(0)
    unsafe scales.look(up: greatest, count: count)
    return unsafe greatest
  }

  /// Tone maps light to the SDR range, using the data from `light`.
  @unsafe func darken(_ rows: borrowing ChannelRows, _ row: Int, count: Int) {
    let greatest = unsafe scale(rows, count: count)
    for channel in 0..<3 {
      unsafe LightKernels.multiply(rows.value(row, channel), by: greatest, count: count)
    }
  }
}
