// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMetadata
import ISOBMFF

/// A box, or a structure of a picture in another format, with its path.
enum InspectedNode {
  case box(LocatedNode)
  /// A box inside such a structure.
  case embedded(LocatedNode, EmbeddedBoxes)
  case structure(FileStructure, path: String)

  static func locate(_ structures: [FileStructure], in parent: String) -> [InspectedNode] {
    var numbers: [String: Int] = [:]
    return structures.map { structure in
      let number = numbers[structure.name, default: 0]
      numbers[structure.name] = number + 1
      let prefix = parent.isEmpty || structure.name.isEmpty ? parent : parent + "/"
      let index = number == 0 || structure.name.isEmpty ? "" : "[\(number)]"
      return .structure(structure, path: prefix + structure.name + index)
    }
  }

  /// The structures inside; of a color box those of its profile.
  func children() throws(SyntaxError) -> [InspectedNode] {
    switch self {
    case .box(let located):
      if located.node.type == "colr", let colour = located.node.box as? ColourInformation,
        !colour.profile.isEmpty
      {
        return Self.locate(
          try StructureTree(profile: colour.profile).structures, in: located.path)
      }
      return located.children.map(InspectedNode.box)
    case .embedded(let located, let frame):
      return located.children.map { .embedded($0, frame) }
    case .structure(let structure, let path):
      guard structure.boxes.isEmpty else {
        let tree = try BoxTree(reading: MemorySource(try structure.boxBytes()))
        let frame = EmbeddedBoxes(in: path, at: structure.boxes)
        return tree.located.map { .embedded($0, frame) }
      }
      return Self.locate(structure.children, in: path)
    }
  }

  /// The box, unless it is another structure.
  private var located: LocatedNode? {
    switch self {
    case .box(let located), .embedded(let located, _): located
    case .structure: nil
    }
  }

  var path: String {
    switch self {
    case .box(let located): located.path
    case .embedded(let located, let frame):
      located.path.isEmpty ? frame.path : "\(frame.path)/\(located.path)"
    case .structure(_, let path): path
    }
  }

  /// The type of a box, or the name of another structure; empty for junk.
  var name: String {
    switch self {
    case .box(let located), .embedded(let located, _):
      located.node.isJunk ? "" : located.node.type.description
    case .structure(let structure, _): structure.name
    }
  }

  /// The name of what it contains, if its type alone does not say so.
  var title: String? { located?.node.name }

  /// The range in the input, including the header.
  var range: Range<Int>? {
    switch self {
    case .box(let located): located.node.extent
    case .embedded(let located, let frame): located.node.extent.map(frame.range)
    case .structure(let structure, _): structure.range
    }
  }

  var start: Int { range?.lowerBound ?? 0 }

  func size() throws(SyntaxError) -> Int {
    switch self {
    case .box(let located), .embedded(let located, _): try located.node.size()
    case .structure(let structure, _): structure.range.count
    }
  }

  /// The header of a box.
  var header: BoxHeader? {
    guard let located, !located.node.isJunk else { return nil }
    return located.node.header
  }

  var headerCount: Int {
    guard case .structure(let structure, _) = self else { return header?.count ?? 0 }
    return structure.headerCount
  }

  /// Whether the bytes belong to no structure of the format.
  var isJunk: Bool { name.isEmpty }

  /// Whether the body is never read.
  var isMedia: Bool {
    located?.node.isMedia ?? false
  }

  /// The reason why the body is opaque; `nil` if it is typed or media data.
  var reason: String? {
    switch self {
    case .box(let located), .embedded(let located, _): located.node.reason
    case .structure(let structure, _): structure.reason
    }
  }

  /// Returns the fields of header and body.
  func fields() throws(SyntaxError) -> [Field] {
    switch self {
    case .box(let located): try located.node.headerFields() + located.node.fields()
    case .embedded(let located, let frame):
      try (located.node.headerFields() + located.node.fields()).map(frame.placed)
    case .structure(let structure, _): try structure.headerFields() + structure.bodyFields()
    }
  }

  /// Returns the fields of the body, and for a box separately version and flags.
  func presentedFields() throws(SyntaxError) -> (header: FullBoxHeader?, body: ArraySlice<Field>) {
    switch self {
    case .box(let located): return try located.node.presentedFields()
    case .embedded(let located, let frame):
      let (header, fields) = try located.node.presentedFields()
      return (header, fields.map(frame.placed)[...])
    case .structure(let structure, _): return (nil, try structure.bodyFields()[...])
    }
  }
}
