// SPDX-License-Identifier: MIT

// Compiled into the room for fuzzing: operators that wrap trap here, and so do shifts by more bits than there are. The
// room uses them for speed where nothing overflows, and this is what shows that nothing does.

extension Int {
  @inline(__always) static func &+ (one: Int, other: Int) -> Int { one + other }
  @inline(__always) static func &- (one: Int, other: Int) -> Int { one - other }
  @inline(__always) static func &* (one: Int, other: Int) -> Int { one * other }
  @inline(__always) static func &+= (one: inout Int, other: Int) { one += other }
  @inline(__always) static func &-= (one: inout Int, other: Int) { one -= other }
  @inline(__always) static func &<< (value: Int, count: Int) -> Int {
    precondition(count >= 0 && count < bitWidth, "shifts by \(count)")
    return value << count
  }
  @inline(__always) static func &>> (value: Int, count: Int) -> Int {
    precondition(count >= 0 && count < bitWidth, "shifts by \(count)")
    return value >> count
  }
}

extension Int16 {
  @inline(__always) static func &+ (one: Int16, other: Int16) -> Int16 { one + other }
  @inline(__always) static func &- (one: Int16, other: Int16) -> Int16 { one - other }
  @inline(__always) static func &* (one: Int16, other: Int16) -> Int16 { one * other }
  @inline(__always) static func &+= (one: inout Int16, other: Int16) { one += other }
  @inline(__always) static func &-= (one: inout Int16, other: Int16) { one -= other }
  @inline(__always) static func &<< (value: Int16, count: Int16) -> Int16 {
    precondition(count >= 0 && count < bitWidth, "shifts by \(count)")
    return value << count
  }
  @inline(__always) static func &>> (value: Int16, count: Int16) -> Int16 {
    precondition(count >= 0 && count < bitWidth, "shifts by \(count)")
    return value >> count
  }
}

extension Int32 {
  @inline(__always) static func &+ (one: Int32, other: Int32) -> Int32 { one + other }
  @inline(__always) static func &- (one: Int32, other: Int32) -> Int32 { one - other }
  @inline(__always) static func &* (one: Int32, other: Int32) -> Int32 { one * other }
  @inline(__always) static func &+= (one: inout Int32, other: Int32) { one += other }
  @inline(__always) static func &-= (one: inout Int32, other: Int32) { one -= other }
  @inline(__always) static func &<< (value: Int32, count: Int32) -> Int32 {
    precondition(count >= 0 && count < bitWidth, "shifts by \(count)")
    return value << count
  }
  @inline(__always) static func &>> (value: Int32, count: Int32) -> Int32 {
    precondition(count >= 0 && count < bitWidth, "shifts by \(count)")
    return value >> count
  }
}

extension UInt8 {
  @inline(__always) static func &+ (one: UInt8, other: UInt8) -> UInt8 { one + other }
  @inline(__always) static func &- (one: UInt8, other: UInt8) -> UInt8 { one - other }
  @inline(__always) static func &* (one: UInt8, other: UInt8) -> UInt8 { one * other }
  @inline(__always) static func &+= (one: inout UInt8, other: UInt8) { one += other }
  @inline(__always) static func &-= (one: inout UInt8, other: UInt8) { one -= other }
  @inline(__always) static func &<< (value: UInt8, count: UInt8) -> UInt8 {
    precondition(count >= 0 && count < bitWidth, "shifts by \(count)")
    return value << count
  }
  @inline(__always) static func &>> (value: UInt8, count: UInt8) -> UInt8 {
    precondition(count >= 0 && count < bitWidth, "shifts by \(count)")
    return value >> count
  }
}

extension UInt16 {
  @inline(__always) static func &+ (one: UInt16, other: UInt16) -> UInt16 { one + other }
  @inline(__always) static func &- (one: UInt16, other: UInt16) -> UInt16 { one - other }
  @inline(__always) static func &* (one: UInt16, other: UInt16) -> UInt16 { one * other }
  @inline(__always) static func &+= (one: inout UInt16, other: UInt16) { one += other }
  @inline(__always) static func &-= (one: inout UInt16, other: UInt16) { one -= other }
  @inline(__always) static func &<< (value: UInt16, count: UInt16) -> UInt16 {
    precondition(count >= 0 && count < bitWidth, "shifts by \(count)")
    return value << count
  }
  @inline(__always) static func &>> (value: UInt16, count: UInt16) -> UInt16 {
    precondition(count >= 0 && count < bitWidth, "shifts by \(count)")
    return value >> count
  }
}

extension UInt32 {
  @inline(__always) static func &+ (one: UInt32, other: UInt32) -> UInt32 { one + other }
  /// 0 less 1 is all ones: `bits & (bits &- 1)` takes the lowest of no bits away.
  @inline(__always) static func &- (one: UInt32, other: UInt32) -> UInt32 {
    one == 0 && other == 1 ? .max : one - other
  }
  @inline(__always) static func &* (one: UInt32, other: UInt32) -> UInt32 { one * other }
  @inline(__always) static func &+= (one: inout UInt32, other: UInt32) { one += other }
  @inline(__always) static func &-= (one: inout UInt32, other: UInt32) { one -= other }
  @inline(__always) static func &<< (value: UInt32, count: UInt32) -> UInt32 {
    precondition(count >= 0 && count < bitWidth, "shifts by \(count)")
    return value << count
  }
  @inline(__always) static func &>> (value: UInt32, count: UInt32) -> UInt32 {
    precondition(count >= 0 && count < bitWidth, "shifts by \(count)")
    return value >> count
  }
}

extension UInt64 {
  @inline(__always) static func &+ (one: UInt64, other: UInt64) -> UInt64 { one + other }
  @inline(__always) static func &- (one: UInt64, other: UInt64) -> UInt64 { one - other }
  @inline(__always) static func &* (one: UInt64, other: UInt64) -> UInt64 { one * other }
  @inline(__always) static func &+= (one: inout UInt64, other: UInt64) { one += other }
  @inline(__always) static func &-= (one: inout UInt64, other: UInt64) { one -= other }
  @inline(__always) static func &<< (value: UInt64, count: UInt64) -> UInt64 {
    precondition(count >= 0 && count < bitWidth, "shifts by \(count)")
    return value << count
  }
  @inline(__always) static func &>> (value: UInt64, count: UInt64) -> UInt64 {
    precondition(count >= 0 && count < bitWidth, "shifts by \(count)")
    return value >> count
  }
}
