// SPDX-License-Identifier: MIT

public import ApusBytes

/// The path of a box: `moov/trak[1]/mdia`. An index counts siblings of the same type from 0; a step without one means
/// every such sibling.
public struct BoxPath: Hashable, Sendable, CustomStringConvertible {
  /// A step of a path, from a box to its children.
  public struct Step: Hashable, Sendable {
    /// The type of the child.
    public var type: FourCC
    /// The index among siblings of the same type, from 0; `nil` for all of them.
    public var index: Int?
  }

  /// The steps from the file to the box.
  public var steps: [Step]

  /// Parses a path; `nil` if the text is not one.
  public init?(_ text: String) {
    guard let parts = Self.parts(of: text) else { return nil }
    steps = []
    for part in parts {
      guard let type = FourCC(escapedText: part.name) else { return nil }
      steps.append(Step(type: type, index: part.index))
    }
  }

  /// Returns the steps of a path as text; `nil` if an index is not a number.
  package static func parts(of text: String) -> [(name: String, index: Int?)]? {
    var parts: [(name: String, index: Int?)] = []
    for part in text.split(separator: "/", omittingEmptySubsequences: false) {
      var name = part[...]
      var index: Int?
      if part.hasSuffix("]"), let bracket = part.lastIndex(of: "[") {
        index = Int(part[part.index(after: bracket)...].dropLast())
        guard index ?? -1 >= 0 else { return nil }
        name = part[..<bracket]
      }
      parts.append((String(name), index))
    }
    return parts
  }

  /// Parses the path of one box as returned by `LocatedNode.path`, in which a step without an index means the first
  /// sibling.
  public init?(located text: String) {
    self.init(text)
    for index in steps.indices where steps[index].index == nil { steps[index].index = 0 }
  }

  public var description: String {
    steps.map { step in
      // Spaces at the end of a type may be omitted.
      let type = step.type.description
      let shown = type.prefix(1) + type.dropFirst().reversed().drop { $0 == " " }.reversed()
      return shown + (step.index.map { "[\($0)]" } ?? "")
    }.joined(separator: "/")
  }
}

extension BoxTree {
  /// The outermost boxes, each with its path.
  public var located: [LocatedNode] { LocatedNode.locate(boxes) }

  /// Returns all boxes at `path`, in file order.
  public func nodes(at path: BoxPath) -> [LocatedNode] {
    path.steps.enumerated().reduce([]) { found, step in
      let candidates = step.offset == 0 ? [located] : found.map(\.children)
      return candidates.flatMap { siblings in
        let matching = siblings.filter { !$0.node.isJunk && $0.node.type == step.element.type }
        guard let index = step.element.index else { return matching }
        return matching.indices.contains(index) ? [matching[index]] : []
      }
    }
  }

  /// Returns the innermost box that contains the byte at `offset`.
  public func node(at offset: Int) -> LocatedNode? {
    var found: LocatedNode?
    var siblings = located
    while let next = siblings.first(where: { $0.node.extent?.contains(offset) ?? false }) {
      found = next
      siblings = next.children
    }
    return found
  }
}
