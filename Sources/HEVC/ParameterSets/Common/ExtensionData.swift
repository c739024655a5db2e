// SPDX-License-Identifier: MIT

internal import ApusBytes

extension SyntaxVisitor {
  /// Visits the flags up to the trailing bits: `while (more_rbsp_data()) sps_extension_data_flag`.
  mutating func extensionData(_ name: StaticString, _ flags: inout [Bool]) throws(SyntaxError) {
    if isReading { flags = [] }
    var index = 0
    while moreData(index < flags.count) {
      var flag = !isReading && flags[index]
      try self.flag(name, &flag)
      if isReading { flags.append(flag) }
      index += 1
    }
  }

  /// Visits one structure for each index, for structures that depend on their index.
  mutating func indexed<Element: Blank>(
    _ name: StaticString, _ elements: inout [Element], count: Int,
    _ body: (Int, inout Element, inout Self) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    var index = 0
    try list(name, &elements, count: count) { element, v throws(SyntaxError) in
      try body(index, &element, &v)
      index += 1
    }
  }

  /// Visits a list of `ue(v)` values.
  mutating func ueValues<Value: FixedWidthInteger & UnsignedInteger & FieldCoded>(
    _ name: StaticString, _ values: inout [Value], count: Int,
    in range: ClosedRange<Value> = .min ... .max
  ) throws(SyntaxError) {
    try list(name, &values, count: count) { value, v throws(SyntaxError) in
      try v.ue(name, &value, in: range)
    }
  }

  /// Visits the number of the following elements, as `ue(v)` minus `bias`.
  mutating func ueCount(
    _ name: StaticString, _ count: Int, minus bias: Int = 0, in range: ClosedRange<UInt32>
  ) throws(SyntaxError) -> Int {
    var value = UInt32(clamping: count - bias)
    try ue(name, &value, in: range)
    return Int(value) + bias
  }
}
