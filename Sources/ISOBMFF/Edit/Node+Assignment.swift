// SPDX-License-Identifier: MIT

internal import ApusBytes

extension Node {
  /// The version, for a box that has one.
  var version: UInt8 {
    (box as? any FullBox)?.header.version ?? (box as? Metadata)?.header?.version ?? 0
  }

  /// Returns the same boxes without their extents in the input.
  func detached() -> Node {
    var node = self
    node.extent = nil
    node.origin = nil
    if var parent = node.box as? any ParentBox {
      parent.boxes = parent.boxes.map { $0.detached() }
      node.box = parent
    }
    return node
  }

  /// Sets the field `name` to the value given as text.
  mutating func set(_ name: String, to value: String, in located: LocatedNode)
    throws(EditError)
  {
    do throws(FieldValueError) {
      guard case .typed(var new, _) = content else { throw .unknown }
      try FieldAssigner.set(name, to: value) { v throws(SyntaxError) in try new.body(&v) }
      box = new
    } catch {
      switch error {
      case .unknown where name == "type":
        guard let type = FourCC(escapedText: value) else {
          throw .value(path: located.path, name: name, text: value, expected: "four characters")
        }
        header.type = type
      case .unknown:
        let names = (try? located.node.fields().flatMap(\.leaves).map(\.name)) ?? []
        throw .unknownField(
          path: located.path, name: name, known: content.isTyped ? names + ["type"] : ["type"])
      case .ambiguous(let count):
        throw .ambiguousField(path: located.path, name: name, count: count)
      case .derived:
        throw .refused(
          path: located.path, reason: "\(name) follows from what the box holds and cannot be set")
      case .expected(let expected):
        throw .value(path: located.path, name: name, text: value, expected: expected)
      case .unwritable(let error):
        throw .refused(
          path: located.path, reason: "cannot hold this \(name): \(error.message)")
      }
    }
  }
}

extension Node.Content {
  fileprivate var isTyped: Bool {
    if case .typed = self { return true }
    return false
  }
}
