// SPDX-License-Identifier: MIT

public import ApusBytes

/// Changes to the boxes of a file. Every path names a box of the original file, whatever was changed before, so the
/// order of changes does not matter. Sizes and offsets are updated in `finished`.
public struct BoxEditor: Sendable {
  /// The boxes as read, to which all paths refer.
  public let original: BoxTree
  /// The file that the boxes were read from.
  public let source: any ByteSource
  /// The boxes with the changes so far; sizes and offsets are not updated yet.
  public private(set) var boxes: [Node]
  /// The changes of the media data.
  var pieces: [SplicedSource.Piece] = []
  /// The media data to add in a separate box.
  private var addedData: [UInt8] = []
  /// Whether something was removed; offsets are then checked even if nothing moved.
  private(set) var hasRemoved = false

  /// A place at which boxes are inserted.
  public enum Place: Sendable {
    case before(BoxPath)
    case after(BoxPath)
    /// A position among the children of a box, before the one that is now at `index`; `nil` is the end.
    case into(BoxPath, index: Int? = nil)
    /// A position among the outermost boxes.
    case file(index: Int? = nil)
  }

  /// Creates an editor without changes.
  ///
  /// - Parameter source: the file that the boxes were read from.
  public init(_ tree: BoxTree, of source: any ByteSource) {
    original = tree
    self.source = source
    boxes = tree.boxes
  }

  /// Returns the only box at `path`.
  public func box(at path: BoxPath) throws(EditError) -> LocatedNode {
    let found = original.nodes(at: path)
    guard let first = found.first else { throw unknown(path) }
    guard found.count == 1 else {
      throw .ambiguousPath(path.description, count: found.count)
    }
    return first
  }

  /// Changes the box that was read as `located`: `body` receives its siblings and its index among them.
  public mutating func change(
    _ located: LocatedNode, _ body: (inout [Node], Int) throws(EditError) -> Void
  ) throws(EditError) {
    guard let origin = located.node.origin, try Self.change(&boxes, origin, body) else {
      throw .refused(path: located.path, reason: "another change took it away")
    }
  }

  private static func change(
    _ nodes: inout [Node], _ origin: Range<Int>,
    _ body: (inout [Node], Int) throws(EditError) -> Void
  ) throws(EditError) -> Bool {
    if let index = nodes.firstIndex(where: { $0.origin == origin }) {
      try body(&nodes, index)
      return true
    }
    for index in nodes.indices {
      guard let outer = nodes[index].origin, outer.lowerBound < origin.lowerBound,
        outer.upperBound >= origin.upperBound
      else { continue }
      var children = nodes[index].children
      guard try change(&children, origin, body) else { return false }
      nodes[index].children = children
      return true
    }
    return false
  }

  private func unknown(_ path: BoxPath) -> EditError {
    var known: [String] = original.located.map(\.path)
    for count in path.steps.indices {
      var outer = path
      outer.steps = Array(path.steps[...count])
      guard let parent = original.nodes(at: outer).first else { break }
      known = parent.children.map(\.path)
    }
    return .unknownPath(path.description, known: known)
  }
}

// MARK: - Changes

extension BoxEditor {
  /// Removes a box.
  public mutating func remove(_ path: BoxPath) throws(EditError) {
    try remove(try box(at: path))
  }

  /// Removes a box that was read.
  public mutating func remove(_ located: LocatedNode) throws(EditError) {
    try change(located) { siblings, index in siblings.remove(at: index) }
    hasRemoved = true
  }

  /// Replaces bytes of the media data, with as many others as wanted. Offsets of replaced bytes are mapped to those
  /// after them.
  public mutating func replaceData(_ range: Range<Int>, with bytes: [UInt8]) {
    pieces.append(SplicedSource.Piece(range, bytes))
  }

  /// Adds media data after what the file has, in a separate box; returns its offset among all that is added.
  public mutating func addData(_ bytes: [UInt8]) -> Int {
    addedData += bytes
    return addedData.count - bytes.count
  }

  /// Returns the boxes with the media data to add. A video of a motion photo stays at the end of the file, because other
  /// programs rely on it.
  func withAddedData(_ boxes: [Node]) -> [Node] {
    guard !addedData.isEmpty else { return boxes }
    var boxes = boxes
    let node = Node(header: BoxHeader("mdat"), content: .lazy(Extent(addedData)))
    boxes.insert(node, at: boxes.lastIndex { $0.type == "mpvd" } ?? boxes.endOfBoxes)
    return boxes
  }

  /// Inserts boxes. Their bytes are written unchanged, including any offsets in them.
  public mutating func insert(_ bytes: Extent, at place: Place) throws(EditError) {
    switch place {
    case .before(let path):
      let nodes = try Self.asTheyAre(bytes, path.description)
      try change(try box(at: path)) { siblings, index in
        siblings.insert(contentsOf: nodes, at: index)
      }
    case .after(let path):
      let nodes = try Self.asTheyAre(bytes, path.description)
      try change(try box(at: path)) { siblings, index in
        siblings.insert(contentsOf: nodes, at: index + 1)
      }
    case .into(let path, let index):
      let nodes = try Self.asTheyAre(bytes, path.description)
      let located = try box(at: path)
      guard located.node.box is any ParentBox else {
        throw .refused(path: located.path, reason: "it holds no boxes")
      }
      try change(located) { siblings, position throws(EditError) in
        let count = siblings[position].children.count
        guard (0...count).contains(index ?? count) else {
          throw .refused(path: located.path, reason: "it holds \(count) boxes, not \(index ?? 0)")
        }
        let end = siblings[position].children.endOfBoxes
        siblings[position].children.insert(contentsOf: nodes, at: index ?? end)
      }
    case .file(let index):
      let nodes = try Self.asTheyAre(bytes, "the file")
      guard (0...boxes.count).contains(index ?? boxes.count) else {
        throw .refused(path: "the file", reason: "it holds \(boxes.count) boxes, not \(index ?? 0)")
      }
      boxes.insert(contentsOf: nodes, at: index ?? boxes.endOfBoxes)
    }
  }

  /// Replaces a box with others. Offsets in them refer to the original file, and are updated.
  public mutating func replace(_ path: BoxPath, with bytes: Extent) throws(EditError) {
    let located = try box(at: path)
    var nodes = try read(bytes, in: located)
    nodes[0].origin = located.node.origin
    try change(located) { siblings, index in
      siblings.replaceSubrange(index...index, with: nodes)
    }
    hasRemoved = true
  }

  /// Replaces the body of a box, and keeps the type and form of its header.
  public mutating func replaceBody(_ path: BoxPath, with body: Extent) throws(EditError) {
    let located = try box(at: path)
    var node = Node(header: located.node.header, content: .opaque(body, .unknown))
    node.header.declaredSize = nil
    if node.header.form == .toEnd { node.header.form = .compact }
    let whole = node
    let bytes = try reading { () throws(SyntaxError) in
      var writer = SyntaxWriter(ArraySink())
      try whole.write(to: &writer)
      return writer.sink.bytes
    }
    try replace(path, with: Extent(bytes))
  }

  /// Sets a field, or the type, of a box.
  public mutating func set(_ name: String, of path: BoxPath, to value: String) throws(EditError) {
    let located = try box(at: path)
    try change(located) { siblings, index throws(EditError) in
      try siblings[index].set(name, to: value, in: located)
    }
    guard let origin = located.node.origin else { return }
    try prove(origin, located)
  }

  /// Returns the bytes of a box in the file.
  public func extract(_ path: BoxPath) throws(EditError) -> Extent {
    let located = try box(at: path)
    guard let origin = located.node.origin else {
      throw .refused(path: located.path, reason: "it was never read")
    }
    return Extent(source, origin)
  }
}

extension [Node] {
  /// The index at which a box is appended: before a terminator and other bytes that are not boxes.
  fileprivate var endOfBoxes: Int { (lastIndex { !$0.isJunk } ?? -1) + 1 }
}
