// SPDX-License-Identifier: MIT

public import ApusBytes

/// A box in the tree, or bytes in the place of one.
public struct Node: Sendable {
  /// The header with the type; setting it marks the box as changed.
  public var header: BoxHeader { didSet { extent = nil } }
  /// The body of the box, or the bytes in the place of a box.
  public var content: Content
  /// The range of bytes from which it was read, including the header; `nil` for a node that was created or changed.
  public var extent: Range<Int>? {
    get { isAsRead ? origin : nil }
    set {
      isAsRead = newValue != nil
      if let newValue { origin = newValue }
    }
  }
  /// The range of bytes from which it was read, even if it was changed since; `nil` for a node that was created.
  public var origin: Range<Int>?
  /// Whether it is unchanged since it was read. A file may have a million nodes, so only one range is stored.
  private var isAsRead: Bool

  /// The body of a box in one of its forms, or bytes that are not a box.
  public enum Content: Sendable {
    /// A box with a known declaration, and the bytes after its last field.
    case typed(any Box, trailing: Trailing)
    /// A body that is kept as bytes, with the reason.
    case opaque(Extent, Opacity)
    /// A body that is never read: media data.
    case lazy(Extent)
    /// Bytes that are not a box; the header has no meaning.
    case junk(Extent, Junk)
  }

  /// The bytes after the last field of a box, which are rare.
  public struct Trailing: Sendable {
    private var held: Seldom<Extent>?

    /// Creates the trailing bytes; `nil` or an empty extent for none.
    public init(_ extent: Extent? = nil) {
      held = extent.flatMap { $0.isEmpty ? nil : Seldom($0) }
    }

    /// The range of the bytes; `nil` if there are none.
    public var extent: Extent? { held?.value }
    /// The number of bytes; 0 if there are none.
    public var count: Int { extent?.count ?? 0 }
  }

  /// The reason why a body is kept as bytes.
  public enum Opacity: Hashable, Sendable {
    /// The type has no declaration.
    case unknown
    /// The declaration does not match the bytes.
    indirect case malformed(SyntaxError)
    /// Writing the box would not restore its bytes; the offset of the first difference is given.
    case notCanonical(offset: Int)
  }

  /// The reason why bytes are not a box.
  public enum Junk: Hashable, Sendable {
    /// The four zero bytes that may end a QuickTime user data list.
    case terminator
    /// Too few bytes for a header.
    case shortHeader
    /// A size smaller than the header.
    case badSize(UInt64)
    /// The remaining bytes when a limit was reached.
    case limit
  }

  /// Creates a node.
  ///
  /// - Parameter extent: the range from which it was read, including the header; `nil` for a new box.
  public init(header: BoxHeader, content: Content, extent: Range<Int>? = nil) {
    self.header = header
    self.content = content
    origin = extent
    isAsRead = extent != nil
  }

  /// Creates a box that was not read from a file.
  public init(_ type: FourCC, _ box: any Box) {
    self.init(header: BoxHeader(type), content: .typed(box, trailing: Trailing()))
  }
}

extension Node {
  /// The type of the box; meaningless for bytes that are not a box.
  public var type: FourCC { header.type }

  /// Whether these are bytes in the place of a box.
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

  /// Returns the typed body, if it has this declaration.
  func body<B: Box>(as _: B.Type = B.self) -> B? {
    guard case .typed(let box, _) = content else { return nil }
    return box.itself()
  }

  /// Returns the body as a box of this declaration, which the tree need not have been read with; `nil` if the
  /// declaration is one of other types. Throws if the bytes do not match it.
  public func decoded<B: Box>(as declaration: B.Type = B.self) throws(SyntaxError) -> B? {
    switch content {
    case .typed(let box, _): return box.itself()
    case .opaque(let body, _):
      guard B.types.contains(type) else { return nil }
      var reader = SyntaxReader(body.source, range: body.range)
      var box = B()
      try box.run(&reader)
      return box
    case .lazy, .junk: return nil
    }
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

  /// Returns the size of the whole box as it would be written.
  public func size() throws(SyntaxError) -> Int {
    var counter = SyntaxWriter(CountingSink())
    return try counter.size(of: self)
  }
}

extension [Node] {
  /// Returns the index of the first box of a type. The nodes are accessed in place, because a copy of one retains
  /// everything that it refers to.
  func place(of type: FourCC) -> Int? {
    let nodes = span
    for place in nodes.indices where nodes[place].header.type == type {
      // Accesses only the content, because asking the node whether it is junk copies it.
      if case .junk = nodes[place].content { continue }
      return place
    }
    return nil
  }
}
