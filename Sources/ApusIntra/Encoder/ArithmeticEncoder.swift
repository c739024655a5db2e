// SPDX-License-Identifier: MIT

/// The arithmetic encoder: ITU-T H.265, 9.3.4.6, with bits collected in a word instead of being written one by one.
///
/// `low` is the standard's `ivlLow` with `pending` more bits above it, and one more for a carry.
@unsafe struct ArithmeticEncoder {
  private(set) var bytes: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int
  private var low: UInt64 = 0
  private var range: UInt32 = 510
  private var pending: UInt64 = 0
  private let states: UnsafeMutablePointer<UInt64>

  init() {
    unsafe capacity = 1 << 16
    unsafe bytes = .allocate(capacity: capacity)
    unsafe states = .allocate(capacity: 128)
    for (index, state) in ArithmeticTables.states().enumerated() {
      unsafe (states + index).initialize(to: state)
    }
  }

  func deallocate() {
    unsafe bytes.deallocate()
    unsafe states.deallocate()
  }

  mutating func begin() { unsafe (count, low, range, pending) = (0, 0, 510, 0) }

  /// Makes room, so that this number of bytes can be written without further checks.
  mutating func reserve(_ more: Int) {
    guard unsafe capacity - count < more else { return }
    let larger = unsafe max(2 * capacity, count + more)
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    unsafe memory.update(from: bytes, count: count)
    unsafe bytes.deallocate()
    unsafe (bytes, capacity) = (memory, larger)
  }

  /// The number of bits coded so far.
  var bitCount: Int { unsafe count &* 8 &+ Int(pending) }

  /// Encodes a bin with a context variable.
  @inline(__always)
  mutating func encode(_ bin: Int, _ context: UnsafeMutablePointer<UInt8>) {
    let state = unsafe states[Int(context.pointee)]
    let less = unsafe UInt32(truncatingIfNeeded: state &>> UInt64((range &>> 3) & 24)) & 255
    let more = unsafe range &- less
    let isLess = UInt64.zero.subtractingReportingOverflow(
      (state &>> 32 ^ UInt64(truncatingIfNeeded: bin)) & 1
    ).partialValue
    let mask = UInt32(truncatingIfNeeded: isLess)
    unsafe low = low &+ (UInt64(more) & isLess)
    let next = more ^ ((more ^ less) & mask)
    let shift = UInt32(truncatingIfNeeded: next.leadingZeroBitCount) &- 23
    unsafe range = next &<< shift
    unsafe context.pointee = UInt8(truncatingIfNeeded: state &>> (32 &+ (8 & isLess))) & 127
    unsafe low = low &<< UInt64(shift)
    unsafe pending &+= UInt64(shift)
    if unsafe pending >= 32 { unsafe flush() }
  }

  /// Encodes up to 16 bins without contexts, the highest bit first.
  @inline(__always)
  mutating func bypass(_ value: UInt32, _ count: Int) {
    unsafe low = low &<< UInt64(truncatingIfNeeded: count) &+ UInt64(range) &* UInt64(value)
    unsafe pending &+= UInt64(truncatingIfNeeded: count)
    if unsafe pending >= 32 { unsafe flush() }
  }

  /// Encodes a bin before termination that is 0.
  mutating func goOn() {
    unsafe range &-= 2
    let shift = unsafe UInt64(range.leadingZeroBitCount &- 23)
    unsafe range = range &<< UInt32(truncatingIfNeeded: shift)
    unsafe low = low &<< shift
    unsafe pending &+= shift
    if unsafe pending >= 32 { unsafe flush() }
  }

  /// Ends the slice, including its stop bit and alignment.
  mutating func finish() {
    unsafe range &-= 2
    unsafe low = (low &+ UInt64(range)) &<< 7
    unsafe pending &+= 7
    if unsafe pending >= 32 { unsafe flush() }
    // The remaining bits: all above the lowest seven, the last of which is the stop bit.
    let bits = unsafe pending &+ 2
    let whole = (bits &+ 7) & ~7
    let value = unsafe (low &>> 7 | 1) &<< (whole &- bits)
    if value &>> whole & 1 != 0 { unsafe carry() }
    var left = whole
    while left > 0 {
      left &-= 8
      unsafe put(UInt8(truncatingIfNeeded: value &>> left))
    }
  }

  @inline(never)
  private mutating func flush() {
    let rest = unsafe pending &- 23
    let top = unsafe low &>> rest
    if top &>> 32 & 1 != 0 { unsafe carry() }
    let word = UInt32(truncatingIfNeeded: top).bigEndian
    unsafe UnsafeMutableRawPointer(bytes + count).storeBytes(of: word, as: UInt32.self)
    unsafe count &+= 4
    unsafe low &= 1 &<< rest &- 1
    unsafe pending &-= 32
  }

  private mutating func put(_ byte: UInt8) {
    unsafe bytes[count] = byte
    unsafe count &+= 1
  }

  /// Propagates a carry. There is a previous byte other than 255, because the coded value is less than 1.
  private mutating func carry() {
    var index = unsafe count &- 1
    while index > 0, unsafe bytes[index] == 255 {
      unsafe bytes[index] = 0
      index &-= 1
    }
    unsafe bytes[index] &+= 1
  }
}
