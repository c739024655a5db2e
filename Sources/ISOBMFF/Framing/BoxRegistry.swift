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
  /// The declarations of `uuid` boxes by their user types.
  private let userTypes: [[UInt8]: (type: UserType, declaration: BoxDeclaration)]

  private init(
    _ table: DeclarationTable, adding boxes: some Sequence<any Box.Type>,
    _ userTypes: [[UInt8]: (type: UserType, declaration: BoxDeclaration)] = [:]
  ) {
    var (table, userTypes) = (table, userTypes)
    for box in boxes {
      let declaration = BoxDeclaration(box)
      for type in box.types {
        table.add(declaration, for: type)
        // A declaration of all of them replaces those of some.
        if type == "uuid" { userTypes = [:] }
      }
      for type in box.userTypes { userTypes[type.bytes] = (type, declaration) }
    }
    declarations = table
    self.userTypes = userTypes
  }

  func declaration(ofUserType bytes: [UInt8]) -> BoxDeclaration? { userTypes[bytes]?.declaration }

  /// Returns the user type with these bytes; `nil` if none is known.
  func userType(_ bytes: [UInt8]) -> UserType? { userTypes[bytes]?.type }

  /// Returns a registry with further boxes, which replace those with the same types.
  func adding(_ boxes: [any Box.Type]) -> BoxRegistry {
    BoxRegistry(declarations, adding: boxes, userTypes)
  }

  /// The families of boxes, each of which is listed in its folder.
  static let families: [[any Box.Type]] = [
    FileBoxes.all, MovieBoxes.all, SampleTableBoxes.all, FragmentBoxes.all, MetadataBoxes.all,
    SampleEntryBoxes.all, CodecBoxes.all, ProtectionBoxes.all, SpatialBoxes.all, HEIFBoxes.all,
    JUMBFBoxes.all, UserTypeBoxes.all,
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
  /// Returns the step to the next box, whose header was read.
  func step(toBox header: BoxHeader) -> Step {
    var step = step(toBox: header.type)
    if header.type == "uuid", let declaration = registry.declaration(ofUserType: header.userType) {
      step.declaration = declaration
    }
    return step
  }

  /// Returns the step to a box like one that was read before, with the same handler.
  func step(toBox other: Step) -> Step {
    var step = step(toBox: other.type)
    step.handler = other.handler
    return step
  }

  private var registry: BoxRegistry { declarations.flatMap { $0 as? BoxRegistry } ?? .standard }

  /// Returns the step to the next box, with the meaning of its type in that place. A box that is entered by any other
  /// step does not determine the meaning of its children.
  public func step(toBox type: FourCC) -> Step {
    var step = step(to: type)
    step.declaration = registry.declaration(of: type, in: path.last)
    return step
  }
}
