// SPDX-License-Identifier: MIT

public import ApusBytes

/// A box with its path.
public struct LocatedNode: Sendable {
  /// The box itself.
  public var node: Node
  /// The place of the box; `nil` for bytes that are not a box and not inside one.
  public let place: BoxPlace?

  /// - Parameter number: the number of preceding siblings of the same type.
  public init(_ node: Node, number: Int = 0, in parent: LocatedNode? = nil) {
    self.node = node
    // Bytes that are not a box have the path of the enclosing box.
    place =
      node.isJunk
      ? parent?.place : BoxPlace(type: node.type, number: number, parent: parent?.place)
  }

  private init(_ node: Node, at place: BoxPlace?) {
    self.node = node
    self.place = place
  }

  /// The path, such as `moov/trak[1]/mdia`.
  public var path: String { place?.path ?? "" }

  /// Returns whether the box is at the same place of the file as another one.
  public func isSame(as other: LocatedNode) -> Bool {
    node.origin != nil && node.origin == other.node.origin
  }

  /// The children, each with its path.
  public var children: [LocatedNode] { Self.locate(node.children, in: self) }

  static func locate(_ nodes: [Node], in parent: LocatedNode? = nil) -> [LocatedNode] {
    var numbers = SiblingNumbers()
    return nodes.map { node in
      LocatedNode(node, number: node.isJunk ? 0 : numbers.add(node.type), in: parent)
    }
  }

  /// Returns the first descendant at a path of types.
  public func child(_ types: FourCC...) -> LocatedNode? {
    guard !types.isEmpty else { return self }
    guard let (siblings, index) = descendant(by: types) else { return nil }
    let place = types.reduce(place) { BoxPlace(type: $1, number: 0, parent: $0) }
    return LocatedNode(siblings[index], at: place)
  }

  /// Returns the body of the first descendant at a path of types, if it has this declaration.
  public func box<B: Box>(at types: FourCC..., as type: B.Type = B.self) -> B? {
    guard let (siblings, index) = descendant(by: types) else { return nil }
    return siblings.span[index].body()
  }

  /// Returns the descendant at a non-empty path as a list of siblings and an index, because each node is a large value
  /// and must not be copied.
  func descendant(by types: [FourCC]) -> (siblings: [Node], index: Int)? {
    var siblings = node.children
    var found: Int?
    for type in types {
      // Accesses only the content, because asking the node for its children copies it.
      if let found {
        guard case .typed(let box, _) = siblings.span[found].content else { return nil }
        siblings = box.children
      }
      found = siblings.place(of: type)
      if found == nil { return nil }
    }
    return found.map { (siblings, $0) }
  }
}
