// SPDX-License-Identifier: MIT

extension BlockWriter {
  /// Writes `sao()`: ITU-T H.265, 7.3.8.3.
  mutating func offsets(_ choice: OffsetDecision.Choice, hasLeft: Bool, hasAbove: Bool, most: Int) {
    if hasLeft {
      unsafe bin(Context.saoMerge, choice.source == .left ? 1 : 0)
      if choice.source == .left { return }
    }
    if hasAbove {
      unsafe bin(Context.saoMerge, choice.source == .above ? 1 : 0)
      if choice.source == .above { return }
    }
    for component in unsafe 0..<(picture.hasChroma ? 3 : 1) {
      let made = choice.offsets.components[component]
      if component < 2 {
        unsafe bin(Context.saoType, made.kind == .none ? 0 : 1)
        if made.kind != .none { unsafe engine.bypass(made.kind == .edge ? 1 : 0, 1) }
      }
      guard made.kind != .none else { continue }
      for index in 0..<4 {
        let magnitude = Int(made.offsets[index].magnitude)
        for _ in 0..<magnitude { unsafe engine.bypass(1, 1) }
        if magnitude < most { unsafe engine.bypass(0, 1) }
      }
      if made.kind == .band {
        for index in 0..<4 where made.offsets[index] != 0 {
          unsafe engine.bypass(made.offsets[index] < 0 ? 1 : 0, 1)
        }
        unsafe engine.bypass(UInt32(made.band), 5)
      } else if component < 2 {
        unsafe engine.bypass(UInt32(made.edgeClass), 2)
      }
    }
  }
}
