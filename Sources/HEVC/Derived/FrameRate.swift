// SPDX-License-Identifier: MIT

/// The frames per second according to the parameter sets.
public struct FrameRate: Hashable, Sendable {
  /// The number of frames in `denominator` seconds, in lowest terms.
  public var numerator: UInt64
  /// The number of seconds, in lowest terms.
  public var denominator: UInt64

  /// Creates a frame rate; `nil` if the numbers are meaningless.
  public init?(_ numerator: UInt64, _ denominator: UInt64) {
    guard numerator > 0, denominator > 0 else { return nil }
    let divisor = Self.greatestCommonDivisor(numerator, denominator)
    self.numerator = numerator / divisor
    self.denominator = denominator / divisor
  }

  /// The frame rate as a floating-point number, for display and estimates.
  public var framesPerSecond: Double { Double(numerator) / Double(denominator) }

  private static func greatestCommonDivisor(_ a: UInt64, _ b: UInt64) -> UInt64 {
    b == 0 ? a : greatestCommonDivisor(b, a % b)
  }
}

extension FrameRate: CustomStringConvertible {
  public var description: String {
    denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
  }
}

extension SequenceParameterSet {
  /// The frame rate of the video usability information: ITU-T H.265, E.3.1. If pictures are fields, two make a frame.
  public var frameRate: FrameRate? {
    guard vuiParametersPresentFlag, vui.timing.vuiTimingInfoPresentFlag else { return nil }
    let timing = vui.timing
    return FrameRate(
      timeScale: timing.vuiTimeScale, unitsInTick: timing.vuiNumUnitsInTick,
      model: timing.vuiHRDParametersPresentFlag ? timing.hrdParameters : nil,
      isFieldSequence: vui.fieldSeqFlag)
  }
}

extension VideoParameterSet {
  /// The frame rate of the set's own clock: ITU-T H.265, 7.4.3.1.
  public var frameRate: FrameRate? {
    guard timing.vpsTimingInfoPresentFlag else { return nil }
    return FrameRate(
      timeScale: timing.vpsTimeScale, unitsInTick: timing.vpsNumUnitsInTick,
      model: timing.hrds.first?.parameters, isFieldSequence: false)
  }
}

extension FrameRate {
  fileprivate init?(
    timeScale: UInt32, unitsInTick: UInt32, model: HRDParameters?, isFieldSequence: Bool
  ) {
    var ticks: UInt64 = 1
    if let highest = model?.subLayers.last, highest.fixedPicRateWithinCVSFlag {
      ticks = UInt64(highest.elementalDurationInTCMinus1) + 1
    }
    self.init(UInt64(timeScale), UInt64(unitsInTick) * ticks * (isFieldSequence ? 2 : 1))
  }
}
