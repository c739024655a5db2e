// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusMetadata
import ISOBMFF

/// The structures of one file: boxes, or those of a picture in another format.
struct InspectedFile {
  var nodes: [InspectedNode]
  var findings: [Finding]
  /// The boxes; `nil` for a file of another kind.
  private(set) var tree: BoxTree?

  init(_ tree: BoxTree) {
    self.tree = tree
    nodes = tree.located.map(InspectedNode.box)
    findings = tree.findings
  }

  init(_ tree: StructureTree) {
    nodes = InspectedNode.locate(tree.structures, in: "")
    findings = tree.findings
  }

  init(_ input: Input, _ limits: Limits) throws {
    let kind = try FileKind(of: input.source)
    if let tree = try StructureTree(reading: input.source, kind: kind, limits: limits) {
      self.init(tree)
    } else {
      self.init(try input.boxTree(limits))
    }
  }

  /// Returns all structures at `path`, in file order.
  func nodes(at path: InspectedPath) throws(SyntaxError) -> [InspectedNode] {
    var found: [InspectedNode] = []
    for (level, step) in path.steps.enumerated() {
      var levels = [nodes]
      if level > 0 {
        levels = []
        for node in found { levels.append(try node.children()) }
      }
      found = levels.flatMap { siblings in
        let matching = siblings.filter { !$0.isJunk && InspectedPath.trimmed($0.name) == step.name }
        guard let index = step.index else { return matching }
        return matching.indices.contains(index) ? [matching[index]] : []
      }
    }
    return found
  }

  /// Returns the innermost structure that contains the byte at `offset`.
  func node(at offset: Int) throws(SyntaxError) -> InspectedNode? {
    var found: InspectedNode?
    var siblings = nodes
    while let next = siblings.first(where: { $0.range?.contains(offset) ?? false }) {
      found = next
      siblings = try next.children()
    }
    return found
  }
}

/// A path of boxes or other structures, as of `BoxPath`, with names of any length.
struct InspectedPath: ArgumentValue {
  var steps: [(name: String, index: Int?)] = []
  let argument: String

  init?(argument: String) {
    self.argument = argument
    guard let parts = BoxPath.parts(of: argument), parts.allSatisfy({ !$0.name.isEmpty }) else {
      return nil
    }
    steps = parts.map { part in
      (Self.trimmed(FourCC(escapedText: part.name)?.description ?? part.name), part.index)
    }
  }

  static var expected: String { "a path of structures, such as moov/trak[1]/mdia" }

  /// Returns a name without the spaces at the end of a type.
  static func trimmed(_ name: String) -> String {
    String(name.reversed().drop { $0 == " " }.reversed())
  }
}
