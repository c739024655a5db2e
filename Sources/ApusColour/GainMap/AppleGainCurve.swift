// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusMath

/// The gain map curve of iPhones, in which codes mean `1 + (H − 1)·f(code)` times the light of the base, where f is the
/// inverse of BT.709: Apple, "Applying Apple HDR effect to your photos".
///
/// Interpreted as logarithms, as in ISO 21496-1, the same codes would be wrong by up to a fifth of a stop.
public enum AppleGainCurve {
  /// Returns, for each of Apple's codes, the equivalent one on a logarithmic scale from 0 to the headroom.
  ///
  /// - Parameter headroom: a linear factor, more than 1.
  public static func logarithmicCodes(headroom: Double) -> [UInt8] {
    let stops = log2(max(headroom, 1 + 1e-9))
    return (0...255).map { code in
      let gain = log2(1 + (headroom - 1) * TransferCurve.bt709.light(Double(code) / 255))
      return UInt8(clamping: Int((255 * gain / stops).rounded()))
    }
  }

  /// Returns the headroom of a map in Apple's form, which is the maximum of the map.
  public static func headroom(of parameters: GainMapParameters) -> Double {
    exp2(max(parameters.alternateHeadroom, parameters.channels.map(\.maximum).max() ?? 0))
  }

  /// Returns, for each code of an ISO 21496-1 map, the equivalent one of Apple's, except for offsets and gains below
  /// one, which Apple's form lacks.
  public static func codes(for parameters: GainMapParameters) -> [UInt8] {
    let channel = parameters.channels.first ?? GainMapParameters.Channel(maximum: 1)
    let span = headroom(of: parameters) - 1
    return (0...255).map { code in
      let place = pow(Double(code) / 255, 1 / channel.gamma)
      let gain = exp2(channel.minimum + (channel.maximum - channel.minimum) * place)
      let light = span > 0 ? min(max((gain - 1) / span, 0), 1) : 0
      return UInt8(clamping: Int((255 * TransferCurve.bt709.value(light)).rounded()))
    }
  }
}
