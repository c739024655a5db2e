// SPDX-License-Identifier: MIT

public import Bytes

/// The body of a box, declared once (ISO/IEC 14496-12, 4.2). Size, type and nesting are the node's.
public protocol Box: CompiledStructure {
  /// The types whose body this is.
  static var types: [FourCC] { get }
  /// The boxes inside, in file order.
  var children: [Node] { get }
  /// What its children are, where their type alone does not tell.
  static func childType(_ type: FourCC, in parent: SyntaxReader.Step) -> ChildType
}

// Requirements with defaults, for a cast to another protocol makes the runtime search all conformances of the program,
// once for each type.
extension Box {
  public var children: [Node] { [] }

  public static func childType(_ type: FourCC, in parent: SyntaxReader.Step) -> ChildType {
    .registered
  }

  public mutating func body<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try syntax(&v)
  }

  /// The box as a value of the declaration `B`; `nil` where it is one of another. A cast asks the runtime for more than
  /// whether both types are the same, which for a box of a file is all that there is to ask.
  func itself<B: Box>(as _: B.Type = B.self) -> B? {
    guard Self.self == B.self else { return nil }
    // Both are the same type.
    return unsafe unsafeBitCast(self, to: B.self)
  }
}

/// A box whose body begins with a version and flags; the framing reads and writes them.
public protocol FullBox: Box {
  static var versions: ClosedRange<UInt8> { get }
  var header: FullBoxHeader { get set }
}

extension FullBox {
  public static var versions: ClosedRange<UInt8> { 0...0 }
  public var version: UInt8 { header.version }
  public var flags: UInt32 { header.flags }
}

public struct FullBoxHeader: Hashable, Sendable {
  public var version: UInt8
  public var flags: UInt32

  public init(version: UInt8 = 0, flags: UInt32 = 0) {
    self.version = version
    self.flags = flags
  }
}

/// A box that holds boxes.
public protocol ParentBox: Box {
  var boxes: [Node] { get set }
}

extension ParentBox {
  public var children: [Node] { boxes }
}

public enum ChildType: Sendable {
  /// Whatever the type stands for everywhere.
  case registered
  case box(any Box.Type)
  case unknown
}

extension FullBox {
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
