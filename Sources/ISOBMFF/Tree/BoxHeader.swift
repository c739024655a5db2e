// SPDX-License-Identifier: MIT

public import ApusBytes

/// The header of a box in the form in which it was written (ISO/IEC 14496-12, 4.2.2).
public struct BoxHeader: Hashable, Sendable {
  /// The form of the size field.
  public enum SizeForm: Hashable, Sendable {
    /// A size of 32 bits.
    case compact
    /// A size of 64 bits after the type.
    case large
    /// A size of zero: the box extends to the end of the file.
    case toEnd
  }

  /// Fields that few boxes have.
  private struct Rarities: Hashable, Sendable {
    var userType: [UInt8] = []
    var declaredSize: UInt64?
  }

  public var type: FourCC
  public var form = SizeForm.compact
  private var rarities: Seldom<Rarities>?

  /// The extended type of a `uuid` box, 16 bytes.
  public var userType: [UInt8] {
    get { rarities?.value.userType ?? [] }
    set { change { $0.userType = newValue } }
  }

  /// The value of the size field if it is not the size, because the box is truncated or overruns its parent.
  public var declaredSize: UInt64? {
    get { rarities?.value.declaredSize }
    set { change { $0.declaredSize = newValue } }
  }

  /// Creates a header with a size of 32 bits.
  public init(_ type: FourCC) { self.type = type }

  private mutating func change(_ change: (inout Rarities) -> Void) {
    var changed = rarities?.value ?? Rarities()
    change(&changed)
    rarities = changed == Rarities() ? nil : Seldom(changed)
  }

  /// The size of the header in bytes.
  public var count: Int { 8 + (form == .large ? 8 : 0) + userType.count }

  /// Visits the size field, type and user type of a box of `size` bytes.
  func syntax<V: SyntaxVisitor>(_ v: inout V, size: Int) throws(SyntaxError) {
    let declared = declaredSize ?? UInt64(size)
    var size32: UInt32 =
      switch form {
      case .compact: UInt32(truncatingIfNeeded: declared)
      case .large: 1
      case .toEnd: 0
      }
    guard form != .compact || declared <= UInt32.max else {
      throw v.failure(.misuse, "size", "of \(declared) needs the 64-bit form")
    }
    try v.u(32, "size", &size32)
    var type = type
    try v.u(32, "type", &type)
    if form == .large {
      var large = declared
      try v.u(64, "largesize", &large)
    }
    if !userType.isEmpty {
      var userType = userType
      try v.bytes("usertype", &userType, count: 16, .uuid)
    }
  }
}

extension BoxHeader {
  /// A header as found in the input, with the size in its size field.
  package struct Found {
    package var header: BoxHeader
    /// The size; `nil` if the box extends to the end.
    package var size: UInt64?
  }

  /// Reads a header if there are bytes left; `nil` if they are too few.
  package static func read(from reader: inout SyntaxReader) throws(SyntaxError) -> Found? {
    guard reader.remaining >= 8 else { return nil }
    var size32: UInt32 = 0
    var header = BoxHeader(FourCC())
    try reader.u(32, "size", &size32)
    try reader.u(32, "type", &header.type)
    var size: UInt64? = UInt64(size32)
    switch size32 {
    case 0:
      header.form = .toEnd
      size = nil
    case 1:
      guard reader.remaining >= 8 else { return nil }
      header.form = .large
      var large: UInt64 = 0
      try reader.u(64, "largesize", &large)
      size = large
    default: break
    }
    if header.type == "uuid" {
      guard reader.remaining >= 16 else { return nil }
      try reader.bytes("usertype", &header.userType, count: 16)
    }
    return Found(header: header, size: size)
  }
}
