// SPDX-License-Identifier: MIT

internal import ApusBytes

extension BoxEditor {
  /// Reads boxes without parsing their bodies.
  static func asTheyAre(_ bytes: Extent, _ path: String) throws(EditError) -> [Node] {
    try boxes(bytes, path, in: [], nil).map { node in
      let extent = node.extent ?? 0..<0
      let body = extent.lowerBound + node.header.count..<extent.upperBound
      return Node(header: node.header, content: .opaque(Extent(bytes.source, body), .unknown))
    }
  }

  /// Reads boxes as siblings of `located`.
  func read(_ bytes: Extent, in located: LocatedNode) throws(EditError) -> [Node] {
    try Self.boxes(bytes, located.path, in: parents(of: located), original.declarations).map {
      $0.detached()
    }
  }

  private static func boxes(
    _ bytes: Extent, _ path: String, in parents: [SyntaxReader.Step],
    _ declarations: (any AnyObject & Sendable)?
  ) throws(EditError) -> [Node] {
    let nodes = try reading { () throws(SyntaxError) in
      var reader = SyntaxReader(bytes.source, range: bytes.range)
      reader.declarations = declarations
      for parent in parents {
        _ = try reader.enter(reader.step(toBox: parent), end: bytes.range.upperBound)
        reader.note(version: parent.version)
      }
      var nodes: [Node] = []
      try reader.framed(&nodes, count: nil)
      return nodes
    }
    guard !nodes.isEmpty, nodes.allSatisfy({ !$0.isJunk && $0.header.declaredSize == nil }) else {
      throw .refused(
        path: path, reason: "what should be put there is no whole box with a header of its own")
    }
    return nodes
  }

  /// Returns the types of the enclosing boxes, outermost first.
  private func parents(of located: LocatedNode) -> [SyntaxReader.Step] {
    guard let origin = located.node.origin else { return [] }
    var steps: [SyntaxReader.Step] = []
    var siblings = original.boxes
    while let outer = siblings.first(where: {
      guard let range = $0.origin else { return false }
      return range != origin && range.lowerBound < origin.lowerBound
        && range.upperBound >= origin.upperBound
    }) {
      var step = SyntaxReader.Step(type: outer.type, index: 0)
      step.version = outer.version
      step.handler =
        outer.children.lazy.compactMap { $0.body(as: HandlerReference.self) }.first?
        .handlerType
      steps.append(step)
      siblings = outer.children
    }
    return steps
  }

  /// Reads a changed box again: it must still be a box with the contents that the tree has.
  func prove(_ origin: Range<Int>, _ located: LocatedNode) throws(EditError) {
    var changed: Node?
    var copy = self
    _ = try? copy.change(located) { siblings, index in changed = siblings[index] }
    guard var node = changed else { return }
    if let size = try? node.size(), size != node.header.declaredSize.map(Int.init(clamping:)) {
      node.header.declaredSize = nil
    }
    if node.header.form == .toEnd { node.header.form = .compact }
    let written = node
    do throws(SyntaxError) {
      var writer = SyntaxWriter(ArraySink())
      try written.write(to: &writer)
      let source = MemorySource(writer.sink.bytes)
      var reader = SyntaxReader(source)
      reader.declarations = original.declarations
      for parent in parents(of: located) {
        _ = try reader.enter(reader.step(toBox: parent), end: source.count)
        reader.note(version: parent.version)
      }
      let read = try Node.read(from: &reader)
      if case .typed(_, let trailing) = read.content, reader.remaining == 0,
        case .typed(_, let before) = written.content, trailing.count == before.count
      {
        return
      }
      if case .opaque = written.content { return }
      throw reader.findings.first.map {
        SyntaxError(.invalid, field: "", offset: $0.offset, detail: $0.message)
      } ?? SyntaxError(.invalid, field: "", detail: "its bytes say something else")
    } catch {
      throw .refused(
        path: located.path, reason: "it could not be read again after this: \(error.message)")
    }
  }
}
