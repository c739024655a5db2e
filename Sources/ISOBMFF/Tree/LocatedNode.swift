// SPDX-License-Identifier: MIT

public import Bytes

/// A box and the way to it.
public struct LocatedNode: Sendable {
  public var node: Node
  /// The place of the box; `nil` for bytes that are no box and lie in none.
  public let place: BoxPlace?

  /// - Parameter number: how many boxes of the type precede it in `parent`.
  public init(_ node: Node, number: Int = 0, in parent: LocatedNode? = nil) {
    self.node = node
    // Bytes that are no box lie in the box around them.
    place =
      node.isJunk
      ? parent?.place : BoxPlace(type: node.type, number: number, parent: parent?.place)
  }

  private init(_ node: Node, at place: BoxPlace?) {
    self.node = node
    self.place = place
  }

  /// Such as `moov/trak[1]/mdia`.
  public var path: String { place?.path ?? "" }

  /// The boxes inside, each with its way.
  public var children: [LocatedNode] { Self.locate(node.children, in: self) }

  static func locate(_ nodes: [Node], in parent: LocatedNode? = nil) -> [LocatedNode] {
    var numbers = SiblingNumbers()
    return nodes.map { node in
      LocatedNode(node, number: node.isJunk ? 0 : numbers.add(node.type), in: parent)
    }
  }

  /// The first box at the way of `types` below this one.
  public func child(_ types: FourCC...) -> LocatedNode? {
    guard !types.isEmpty else { return self }
    guard let (siblings, index) = descendant(by: types) else { return nil }
    let place = types.reduce(place) { BoxPlace(type: $1, number: 0, parent: $0) }
    return LocatedNode(siblings[index], at: place)
  }

  /// The body of the first box at the way of `types` below this one, where it is one of this declaration.
  public func box<B: Box>(at types: FourCC..., as type: B.Type = B.self) -> B? {
    guard let (siblings, index) = descendant(by: types) else { return nil }
    return siblings.span[index].body()
  }

  /// The box at a way that is not empty, by the list in which it stands: each node is a large value, and none is copied.
  func descendant(by types: [FourCC]) -> (siblings: [Node], index: Int)? {
    var siblings = node.children
    var found: Int?
    for type in types {
      // The content alone: to ask the node for its children copies it.
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
