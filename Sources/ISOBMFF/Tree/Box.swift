// SPDX-License-Identifier: MIT

public import ApusBytes

/// The body of a box, declared once (ISO/IEC 14496-12, 4.2). Size, type and nesting belong to the node.
public protocol Box: CompiledStructure {
  /// The types of boxes with this body.
  static var types: [FourCC] { get }
  /// The user types of boxes with this body, whose type is `uuid`.
  static var userTypes: [UserType] { get }
  /// The boxes inside, in file order.
  var children: [Node] { get }
  /// Returns the meaning of a child's type, if that depends on the parent.
  static func childType(_ type: FourCC, in parent: SyntaxReader.Step) -> ChildType
}

// Requirements with default implementations, because a cast to another protocol makes the runtime search all
// conformances of the program, once for each type.
extension Box {
  /// No user types, for declarations of other types.
  public static var userTypes: [UserType] { [] }

  /// No boxes, for declarations without children.
  public var children: [Node] { [] }

  public static func childType(_ type: FourCC, in parent: SyntaxReader.Step) -> ChildType {
    .registered
  }

  /// Visits all fields; those of a full box include its version and flags.
  public mutating func body<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try syntax(&v)
  }

  /// Returns the box as a value of the declaration `B`; `nil` if it has another type. A cast makes the runtime check
  /// more than the equality of the types, which is sufficient for boxes.
  func itself<B: Box>(as _: B.Type = B.self) -> B? {
    guard Self.self == B.self else { return nil }
    // Both have the same type.
    return unsafe unsafeBitCast(self, to: B.self)
  }
}

/// A box whose body begins with a version and flags; the framing reads and writes them.
public protocol FullBox: Box {
  /// The versions that the declaration describes; others are kept as bytes.
  static var versions: ClosedRange<UInt8> { get }
  /// The version and flags.
  var header: FullBoxHeader { get set }
}

extension FullBox {
  /// Version 0 only, for declarations that state no others.
  public static var versions: ClosedRange<UInt8> { 0...0 }
  /// The version of the box.
  public var version: UInt8 { header.version }
  /// The flags of the box, in 24 bits.
  public var flags: UInt32 { header.flags }
}

/// The version and flags of a full box: ISO/IEC 14496-12, 4.2.2.
public struct FullBoxHeader: Hashable, Sendable {
  /// The version of the box.
  public var version: UInt8
  /// The flags of the box, in the lower 24 bits.
  public var flags: UInt32

  /// Creates a version with flags.
  public init(version: UInt8 = 0, flags: UInt32 = 0) {
    self.version = version
    self.flags = flags
  }
}

/// A box that contains boxes.
public protocol ParentBox: Box {
  /// The boxes inside, in file order.
  var boxes: [Node] { get set }
}

extension ParentBox {
  /// The boxes inside, in file order.
  public var children: [Node] { boxes }
}

/// The meaning of a child's type inside a certain parent.
public enum ChildType: Sendable {
  /// The type has its usual meaning.
  case registered
  case box(any Box.Type)
  case unknown
}

extension FullBox {
  /// Visits the version and flags, then all other fields; throws for an unknown version.
  public mutating func body<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "version", &header.version)
    guard Self.versions.contains(header.version) else {
      throw v.failure(
        .unsupported, "version",
        "is \(header.version), known are \(Self.versions.lowerBound) to \(Self.versions.upperBound)"
      )
    }
    v.note(version: header.version)
    try v.u(24, "flags", &header.flags, as: .hex)
    try syntax(&v)
  }
}
