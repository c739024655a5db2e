// SPDX-License-Identifier: MIT

public import ApusBytes

/// Finds the declaration of a box type.
final class BoxRegistry: Sendable {
  /// The boxes of this module.
  static let standard = {
    var table = DeclarationTable()
    for type in ["mdat", "imda"] as [FourCC] { table.add(.lazy, for: type) }
    return BoxRegistry(table, adding: families.joined())
  }()

  private let declarations: DeclarationTable

  private init(_ table: DeclarationTable, adding boxes: some Sequence<any Box.Type>) {
    var table = table
    for box in boxes {
      let declaration = BoxDeclaration(box)
      for type in box.types { table.add(declaration, for: type) }
    }
    declarations = table
  }

  /// Returns a registry with further boxes, which replace those with the same types.
  func adding(_ boxes: [any Box.Type]) -> BoxRegistry {
    BoxRegistry(declarations, adding: boxes)
  }

  /// The families of boxes, each of which is listed in its folder.
  static let families: [[any Box.Type]] = [
    FileBoxes.all, MovieBoxes.all, SampleTableBoxes.all, FragmentBoxes.all, MetadataBoxes.all,
    SampleEntryBoxes.all, CodecBoxes.all, ProtectionBoxes.all, SpatialBoxes.all, HEIFBoxes.all,
  ]

  /// Returns the declaration of a box inside another one, which may determine the meaning of its children; `nil` if the
  /// type is unknown.
  func declaration(of type: FourCC, in parent: SyntaxReader.Step? = nil) -> BoxDeclaration? {
    let registered = declarations[type]
    guard registered?.isLazy != true, let parent,
      let box = (parent.declaration as? BoxDeclaration)?.box
    else { return registered }
    switch box.childType(type, in: parent) {
    case .registered: return registered
    case .box(let box): return BoxDeclaration(box)
    case .unknown: return nil
    }
  }
}

extension SyntaxReader {
  /// Returns the step to the next box, with the meaning of its type in that place. A box that is entered by any other
  /// step does not determine the meaning of its children.
  public func step(toBox type: FourCC) -> Step {
    var step = step(to: type)
    let registry = declarations.flatMap { $0 as? BoxRegistry } ?? .standard
    step.declaration = registry.declaration(of: type, in: path.last)
    return step
  }
}
