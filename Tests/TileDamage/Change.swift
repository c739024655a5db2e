// SPDX-License-Identifier: MIT

/// A way to damage the bytes of a coded picture. Three places in four are anywhere, the others in the first or last 16
/// bytes, where headers and ends lie. NAL units keep to their lengths, or nothing would come to the decoder.
enum Change: String, CaseIterable {
  case bit = "a bit"
  case byte = "a byte"
  case run = "2 to 16 bytes"
  case zeros = "1 to 16 zeros"
  case exchange = "two runs exchanged"
  case splice = "the rest from another"
  case cut = "cut, its length mended"

  /// - Parameters:
  ///   - unit: a slice segment with its header.
  ///   - other: one of another picture of the same photo.
  func apply(to unit: inout [UInt8], _ other: [UInt8], _ dice: inout Dice) {
    // The header of the unit stays, so that a picture remains one.
    guard unit.count > 40, other.count > 40 else { return }
    let last = unit.count - 1
    let place =
      switch Int.random(in: 0..<8, using: &dice) {
      case 0: Int.random(in: 2...17, using: &dice)
      case 1: Int.random(in: last - 15...last, using: &dice)
      default: Int.random(in: 2...last, using: &dice)
      }
    let length = min(Int.random(in: 1...16, using: &dice), unit.count - place)
    switch self {
    case .bit: unit[place] ^= 1 << UInt8.random(in: 0...7, using: &dice)
    case .byte: unit[place] ^= UInt8.random(in: 1...255, using: &dice)
    case .run:
      for index in place..<min(place + max(2, length), unit.count) {
        unit[index] = UInt8.random(in: 0...255, using: &dice)
      }
    case .zeros: for index in place..<place + length { unit[index] = 0 }
    case .exchange:
      let from = Int.random(in: 2...unit.count - length, using: &dice)
      for index in 0..<length { unit.swapAt(place + index, from + index) }
    case .splice: unit = Array(unit[..<place]) + other[min(place, other.count - 1)...]
    case .cut: unit.removeSubrange(max(place, 20)...)
    }
  }
}

/// SplitMix64: always the same numbers of a seed.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
