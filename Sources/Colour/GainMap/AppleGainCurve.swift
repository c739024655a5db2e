// SPDX-License-Identifier: MIT

internal import Glibc

/// The gain map of iPhones, whose codes stand for `1 + (H − 1)·f(code)` times the light of the base, with f that of
/// BT.709 backwards: Apple, "Applying Apple HDR effect to your photos".
///
/// Read as logarithms, as ISO 21496-1 has them, the same codes would be wrong by up to a fifth of a stop.
public enum AppleGainCurve {
  /// For each code the one that means as much as a logarithm from 0 to that of the headroom.
  ///
  /// - Parameter headroom: a linear factor, more than 1.
  public static func logarithmicCodes(headroom: Double) -> [UInt8] {
    let stops = log2(max(headroom, 1 + 1e-9))
    return (0...255).map { code in
      let gain = log2(1 + (headroom - 1) * TransferCurve.bt709.light(Double(code) / 255))
      return UInt8(clamping: Int((255 * gain / stops).rounded()))
    }
  }
}
