// SPDX-License-Identifier: MIT

public import ApusBytes

extension LocatedNode {
  /// Returns the children of one type, each with its path.
  public func children(of type: FourCC) -> [LocatedNode] { children(of: [type]) }

  /// Returns the children of several types in file order, each with its path.
  public func children(of types: [FourCC]) -> [LocatedNode] {
    var numbers = SiblingNumbers()
    var found: [LocatedNode] = []
    let children = node.children
    let nodes = children.span
    for index in nodes.indices {
      let type = nodes[index].header.type
      guard types.contains(type) else { continue }
      if case .junk = nodes[index].content { continue }
      found.append(LocatedNode(nodes[index], number: numbers.add(type), in: self))
    }
    return found
  }

  /// Returns the body, if it has this declaration.
  public func box<B: Box>(_ type: B.Type = B.self) -> B? { node.body() }

  /// Returns the body of the first child of a type; `nil` if there is none. Throws if it is unreadable.
  func table<B: Box>(_ type: FourCC, _: B.Type = B.self) throws(SyntaxError) -> B? {
    guard let (siblings, index) = descendant(by: [type]) else { return nil }
    if let box: B = siblings.span[index].body() { return box }
    if let child = child(type) { throw child.unreadable }
    return nil
  }

  /// The reason why the body could not be parsed.
  var unreadable: SyntaxError {
    switch node.content {
    case .opaque(_, .malformed(let error)): error
    case .opaque(_, .notCanonical(let offset)):
      SyntaxError(.invalid, field: "", path: path, offset: offset, detail: "is not canonical")
    default: failure("cannot be read as \(node.type)", .unsupported)
    }
  }

  /// Returns an error about this box as a whole.
  func failure(_ detail: String, _ kind: SyntaxError.Kind = .invalid) -> SyntaxError {
    SyntaxError(kind, field: "", path: path, offset: node.start, detail: detail)
  }
}
