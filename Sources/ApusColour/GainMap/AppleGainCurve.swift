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
    let most = log2(max(headroom, 1 + 1e-9))
    return stops(headroom: headroom).map { UInt8(clamping: Int((255 * $0 / most).rounded())) }
  }

  /// Returns the gain that each code means, as a logarithm to base 2.
  private static func stops(headroom: Double) -> [Double] {
    (0...255).map { log2(1 + (headroom - 1) * TransferCurve.bt709.light(Double($0) / 255)) }
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
      let light = span > 0 ? min(max((exp2(channel.stops(code)) - 1) / span, 0), 1) : 0
      return UInt8(clamping: Int((255 * TransferCurve.bt709.value(light)).rounded()))
    }
  }

  /// Returns the parameters of ISO 21496-1 with which Apple's codes mean nearly the same as in Apple's curve. Only gamma
  /// is free; the largest difference is the smallest possible, 0.08 stops for a headroom of 7.
  public static func parameters(headroom: Double) -> GainMapParameters {
    let stops = log2(headroom)
    var parameters = GainMapParameters(
      channels: [.init(maximum: stops)], alternateHeadroom: stops)
    func difference(gamma: Double) -> Double {
      parameters.channels[0].gamma = gamma
      return self.difference(from: parameters)
    }
    var (low, high) = (0.25, 8.0)
    while high - low > 1e-6 {
      let third = (high - low) / 3
      if difference(gamma: low + third) < difference(gamma: high - third) {
        high -= third
      } else {
        low += third
      }
    }
    parameters.channels[0].gamma = (low * 10_000).rounded() / 10_000
    return parameters
  }

  /// Returns the largest difference, in stops, between the gains that codes mean by the parameters of ISO 21496-1 and by
  /// Apple's curve of the same headroom.
  public static func difference(from parameters: GainMapParameters) -> Double {
    guard let channel = parameters.channels.first else { return .infinity }
    let stops = stops(headroom: headroom(of: parameters))
    return zip(0..., stops).map { (channel.stops($0) - $1).magnitude }.max() ?? 0
  }
}

extension GainMapParameters.Channel {
  /// Returns the gain that a code with eight bits means, as a logarithm to base 2.
  fileprivate func stops(_ code: Int) -> Double {
    minimum + (maximum - minimum) * pow(Double(code) / 255, 1 / gamma)
  }
}
