// SPDX-License-Identifier: MIT

public import Bytes

/// A box in the tree, or bytes that are where one should.
public struct Node: Sendable {
  public var header: BoxHeader { didSet { extent = nil } }
  public var content: Content
  /// The range of bytes from which it was read, header included; `nil` for a node that was made or changed.
  public var extent: Range<Int>? {
    get { isAsRead ? origin : nil }
    set {
      isAsRead = newValue != nil
      if let newValue { origin = newValue }
    }
  }
  /// The range of bytes from which it was read, however it was changed since; `nil` for a node that was made.
  public var origin: Range<Int>?
  /// Whether it was read and not changed since. A file may have a million nodes, so one place is stored and not two.
  private var isAsRead: Bool

  public enum Content: Sendable {
    /// A box whose declaration is known, and the bytes after what the declaration covers.
    case typed(any Box, trailing: Trailing)
    /// A body that is kept as it is, and why.
    case opaque(Extent, Opacity)
    /// A body that is never looked at: media data.
    case lazy(Extent)
    /// Bytes that are no box; the header means nothing.
    case junk(Extent, Junk)
  }

  /// The bytes after the last field of a box, which hardly any box has.
  public struct Trailing: Sendable {
    private var held: Seldom<Extent>?

    public init(_ extent: Extent? = nil) {
      held = extent.flatMap { $0.isEmpty ? nil : Seldom($0) }
    }

    /// This is `nil` where there are none.
    public var extent: Extent? { held?.value }
    public var count: Int { extent?.count ?? 0 }
  }

  public enum Opacity: Hashable, Sendable {
    /// No declaration for this type.
    case unknown
    /// The declaration does not fit the bytes.
    indirect case malformed(SyntaxError)
    /// What was read would not be written back to the same bytes; the first that differs.
    case notCanonical(offset: Int)
  }

  public enum Junk: Hashable, Sendable {
    /// The four zero bytes that may end a QuickTime user data list.
    case terminator
    /// Fewer bytes than a header has.
    case shortHeader
    /// A size field below the size of its own header.
    case badSize(UInt64)
    /// What was left when a limit was reached.
    case limit
  }

  public init(header: BoxHeader, content: Content, extent: Range<Int>? = nil) {
    self.header = header
    self.content = content
    origin = extent
    isAsRead = extent != nil
  }

  /// A box of our own.
  public init(_ type: FourCC, _ box: any Box) {
    self.init(header: BoxHeader(type), content: .typed(box, trailing: Trailing()))
  }
}

extension Node {
  public var type: FourCC { header.type }

  public var isJunk: Bool {
    if case .junk = content { return true }
    return false
  }

  /// The typed body.
  public var box: (any Box)? {
    get {
      if case .typed(let box, _) = content { return box }
      return nil
    }
    set {
      guard case .typed(_, let trailing) = content, let newValue else { return }
      content = .typed(newValue, trailing: trailing)
      extent = nil
    }
  }

  /// The typed body, where it is one of this declaration.
  func body<B: Box>(as _: B.Type = B.self) -> B? {
    guard case .typed(let box, _) = content else { return nil }
    return box.itself()
  }

  /// The boxes inside, in file order.
  public var children: [Node] {
    get {
      guard case .typed(let box, _) = content else { return [] }
      return box.children
    }
    set {
      guard var parent = box as? any ParentBox else { return }
      parent.boxes = newValue
      box = parent
    }
  }

  /// The size of the whole box as it would be written.
  public func size() throws(SyntaxError) -> Int {
    var counter = SyntaxWriter(CountingSink())
    return try counter.size(of: self)
  }
}

extension [Node] {
  /// The place of the first box of the type. The nodes are looked at where they lie: a copy of one retains all that it
  /// refers to.
  func place(of type: FourCC) -> Int? {
    let nodes = span
    for place in nodes.indices where nodes[place].header.type == type {
      // The content alone: to ask the node whether it is junk copies it.
      if case .junk = nodes[place].content { continue }
      return place
    }
    return nil
  }
}
