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
    guard let node = Self.descendant(of: node, by: types[...]) else { return nil }
    return LocatedNode(
      node, at: types.reduce(place) { BoxPlace(type: $1, number: 0, parent: $0) })
  }

  /// The search goes by index and hands no node on but the last, since each is a large value to copy.
  private static func descendant(of node: Node, by types: ArraySlice<FourCC>) -> Node? {
    guard let type = types.first else { return node }
    let children = node.children
    for index in children.indices where children[index].type == type && !children[index].isJunk {
      return descendant(of: children[index], by: types.dropFirst())
    }
    return nil
  }
}
