// SPDX-License-Identifier: MIT

internal import CApusPixel

/// The arithmetic decoding engine: ITU-T H.265, 9.3.4.3.
///
/// `value` is `ivlOffset` with bits below it that were read ahead, 32 at a time; beyond the end of the data they are
/// zeros. Callers copy the decoder into a local variable for many bins, so that it stays in registers.
struct ArithmeticDecoder {
  private(set) var value: UInt64 = 0
  /// The value `ivlCurrRange`.
  private(set) var range: UInt32 = 510
  /// The number of bits of `value` that were read ahead.
  private(set) var ahead: Int32 = 0
  /// The offset of the next byte to read.
  private(set) var position = 0

  /// Whether it began with an `ivlOffset` of 510 or 511, which 9.3.2.5 forbids because no bin could be decoded.
  private(set) var beganBeyond = false

  /// Begins decoding at a byte: 9.3.2.5.
  mutating func start(at position: Int, in data: Span<UInt8>) {
    self.position = position
    value = 0
    range = 510
    ahead = -9
    fill(data)
    refill(data)
    guard value &>> UInt64(truncatingIfNeeded: ahead) >= 510 else { return }
    // The following code relies on the offset being less than the range.
    value = 0
    beganBeyond = true
  }

  /// The offset of the byte after the consumed bits; meaningful after a terminating bin that is 1.
  var nextByte: Int { position - Int(ahead >> 3) }

  /// Returns whether the last consumed bit is 1 and the following bits in its byte are 0, as in `byte_alignment()` and
  /// the trailing bits of a slice; meaningful after a terminating bin that is 1.
  func isAligned(in data: Span<UInt8>) -> Bool {
    let bit = position * 8 - Int(ahead) - 1
    guard bit >= 0, bit >> 3 < data.count else { return false }
    return data[bit >> 3] << UInt8(bit & 7) == 0x80
  }

  @inline(__always)
  private mutating func refill(_ data: Span<UInt8>) { if _slowPath(ahead < 22) { fill(data) } }

  @inline(__always)
  private mutating func fill(_ data: Span<UInt8>) {
    value = value << 32 | UInt64(Self.word(data, at: position))
    position &+= 4
    ahead &+= 32
  }

  /// Returns four bytes, zeros after the end. It is neither a method nor inlined: it is called only about every thirty
  /// bins, and a call with the address of a decoder would keep that out of the registers.
  @inline(never)
  private static func word(_ data: Span<UInt8>, at position: Int) -> UInt32 {
    var word: UInt32 = 0
    if position >= 0, position <= data.count &- 4 {
      let bytes = data.extracting(position..<position &+ 4)
      for index in 0..<4 { word = word << 8 | UInt32(bytes[index]) }
      return word
    }
    for index in position..<position + 4 {
      word = word << 8 | (index < data.count ? UInt32(data[index]) : 0)
    }
    return word
  }

  /// Decodes a bin with a context variable (9.3.4.3.2), and returns it with the new value of the variable.
  @inline(__always)
  mutating func bin(_ state: UInt64, _ states: Span<UInt64>, _ data: Span<UInt8>)
    -> (bin: Int, next: UInt64)
  {
    let quarter = UInt64((range &>> 3) & 24)
    let less = UInt32(truncatingIfNeeded: state &>> quarter) & 255
    let more = range &- less
    let scaled = UInt64(more) &<< UInt64(truncatingIfNeeded: ahead)
    // All ones if the less probable symbol was coded: a branch would be unpredictable.
    let isLess: UInt64 = value >= scaled ? ~0 : 0
    value = value &- (scaled & isLess)
    let mask = UInt32(truncatingIfNeeded: isLess)
    // The shift that makes the range nine bits again.
    let shiftLess = UInt32(truncatingIfNeeded: state &>> (48 &+ quarter &>> 1)) & 15
    let shiftMore = more &>> 8 ^ 1
    let shift = shiftMore ^ ((shiftMore ^ shiftLess) & mask)
    range = (more ^ ((more ^ less) & mask)) &<< shift
    ahead = ahead &- Int32(truncatingIfNeeded: shift)
    // The state after the more probable symbol has that symbol in its lowest bit.
    let bin = Int(truncatingIfNeeded: (state &>> 32 ^ isLess) & 1)
    let afterMore = apus_opaque(states[Int(truncatingIfNeeded: state &>> 32 & 127)])
    let afterLess = apus_opaque(states[Int(truncatingIfNeeded: state &>> 40 & 127)])
    let next = afterMore ^ ((afterMore ^ afterLess) & isLess)
    refill(data)
    return (bin, next)
  }

  /// Decodes a bin without a context variable: 9.3.4.3.4.
  @inline(__always)
  mutating func bypass(_ data: Span<UInt8>) -> Int {
    ahead = ahead &- 1
    let scaled = UInt64(range) &<< UInt64(truncatingIfNeeded: ahead)
    let isOne: UInt64 = value >= scaled ? ~0 : 0
    value = value &- (scaled & isOne)
    refill(data)
    return Int(truncatingIfNeeded: isOne & 1)
  }

  /// Returns the next `count` bypass bins, at most 21, without consuming them: a division by the range gives them all.
  @inline(__always)
  func peek(_ count: Int32, _ reciprocals: Span<UInt32>) -> UInt32 {
    let bits = value &>> UInt64(truncatingIfNeeded: ahead &- count)
    return UInt32(truncatingIfNeeded: (bits &* UInt64(reciprocals[Int(range & 511)])) &>> 39)
  }

  /// Consumes the first of 21 peeked bins.
  @inline(__always)
  mutating func use(_ used: Int32, of bins: UInt32, _ data: Span<UInt8>) {
    ahead = ahead &- used
    let taken = UInt64(bins &>> UInt32(truncatingIfNeeded: 21 &- used)) &* UInt64(range)
    value = value &- taken &<< UInt64(truncatingIfNeeded: ahead)
    refill(data)
  }

  /// Decodes 1 to 21 bypass bins at once.
  @inline(__always)
  mutating func bypass(_ count: Int, _ data: Span<UInt8>, _ reciprocals: Span<UInt32>) -> Int {
    let count = Int32(truncatingIfNeeded: count)
    let bins = peek(count, reciprocals)
    ahead = ahead &- count
    value = value &- (UInt64(bins) &* UInt64(range)) &<< UInt64(truncatingIfNeeded: ahead)
    refill(data)
    return Int(bins)
  }

  /// Decodes a bin before termination: 9.3.4.3.5.
  @inline(never)
  mutating func terminate(_ data: Span<UInt8>) -> Bool {
    range = range &- 2
    if value >= UInt64(range) &<< UInt64(truncatingIfNeeded: ahead) { return true }
    let shift = Int32(truncatingIfNeeded: range.leadingZeroBitCount) &- 23
    range = range &<< UInt32(truncatingIfNeeded: shift)
    ahead = ahead &- shift
    refill(data)
    return false
  }
}
