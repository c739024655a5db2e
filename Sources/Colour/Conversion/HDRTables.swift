// SPDX-License-Identifier: MIT

/// PQ and HLG to light in which 1 is SDR white, and down to that.
struct HDRTables: Sendable {
  private let curve: HDRCurve
  /// PQ: from a value to light. HLG: from a value to light of the scene.
  private let values: LightTable
  /// HLG: from the fourth root of the scene's luminance, because a table of the luminance itself is too coarse
  /// where it is dark, to what its light is multiplied by.
  private let system: LightTable
  /// From the greatest of red, green and blue to what all are multiplied by: of PQ by the value, of HLG by the
  /// fourth root of light.
  private let scales: LightTable
  private let luminance: SIMD4<Float>

  init(_ curve: HDRCurve, _ primaries: Primaries, tone: ToneCurve) {
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
    // BT.2100 defines the luminance of a scene by its own primaries, whatever the picture's are.
    luminance = SIMD4<Float>(SIMD4<Double>(Primaries.bt2020.luminance, 0))
  }

  /// Replaces values by light.
  ///
  /// - Parameter spare: what `darken` needs to know.
  @unsafe func light(
    _ red: RowKernels.Row, _ green: RowKernels.Row, _ blue: RowKernels.Row, count: Int,
    spare: RowKernels.Row
  ) {
    if curve == .pq {
      unsafe LightKernels.greatest(red, green, blue, count: count, into: spare)
    }
    for unsafe channel in unsafe [red, green, blue] { unsafe values.look(up: channel, count: count) }
    guard curve == .hlg else { return }
    unsafe RowKernels.mix(red, green, blue, count: count, by: luminance, into: spare)
    unsafe LightKernels.fourthRoot(spare, count: count, scale: 1)
    unsafe system.look(up: spare, count: count)
    for unsafe channel in unsafe [red, green, blue] {
      unsafe LightKernels.multiply(channel, by: spare, count: count)
    }
    unsafe LightKernels.greatest(red, green, blue, count: count, into: spare)
    unsafe LightKernels.fourthRoot(
      spare, count: count, scale: Float(ToneCurve.white / HLG.peak))
  }

  /// Brings light down to white.
  @unsafe func darken(
    _ red: RowKernels.Row, _ green: RowKernels.Row, _ blue: RowKernels.Row, count: Int,
    by greatest: RowKernels.Row
  ) {
    unsafe scales.look(up: greatest, count: count)
    for unsafe channel in unsafe [red, green, blue] {
      unsafe LightKernels.multiply(channel, by: greatest, count: count)
    }
  }
}
