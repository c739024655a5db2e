// SPDX-License-Identifier: MIT

extension AC3Specific {
  /// The number of channels, including the one for low-frequency effects.
  public var channels: Int { Self.channels(acmod: acmod, lfeon: lfeon) }

  /// Returns the number of channels of an audio coding mode: ETSI TS 102 366, 4.4.2.3.
  public static func channels(acmod: UInt8, lfeon: Bool) -> Int {
    [2, 1, 2, 3, 3, 4, 4, 5][Int(acmod & 7)] + (lfeon ? 1 : 0)
  }
}

extension EC3Specific {
  /// The number of channels of the first program, including those in its dependent substreams.
  public var channels: Int {
    guard let first = substreams.first else { return 0 }
    let own = AC3Specific.channels(acmod: first.acmod, lfeon: first.lfeon)
    // Bits from the lowest: Lc/Rc, Lrs/Rrs, Cs, Ts, Lsd/Rsd, Lw/Rw, Lvh/Rvh, Cvh, LFE2 (F.6.2.13).
    let widths = [2, 2, 1, 1, 2, 2, 2, 1, 1]
    return widths.enumerated().reduce(own) { sum, width in
      first.channelLocations >> UInt16(width.offset) & 1 == 1 ? sum + width.element : sum
    }
  }
}
