// SPDX-License-Identifier: MIT

internal import Bytes

/// Which declaration a type stands for.
enum BoxRegistry {
  /// Boxes whose bodies are never read.
  static let lazyTypes: Set<FourCC> = ["mdat", "imda"]

  static let boxes: [FourCC: any Box.Type] = {
    var table: [FourCC: any Box.Type] = [:]
    for family in families {
      for box in family {
        for type in box.types { table[type] = box }
      }
    }
    return table
  }()

  /// The families of boxes, each listed in its folder.
  static let families: [[any Box.Type]] = [
    FileBoxes.all, MovieBoxes.all, SampleTableBoxes.all, FragmentBoxes.all, MetadataBoxes.all,
    SampleEntryBoxes.all, CodecBoxes.all, ProtectionBoxes.all, SpatialBoxes.all, HEIFBoxes.all,
  ]

  /// The declaration of a box inside the boxes of `path`: each of them may say what its children are.
  static func box(for type: FourCC, in path: ArraySlice<SyntaxReader.Step>) -> (any Box.Type)? {
    guard let parent = path.last,
      let parentType = box(for: parent.type, in: path.dropLast())
    else { return boxes[type] }
    switch parentType.childType(type, in: parent) {
    case .registered: return boxes[type]
    case .box(let box): return box
    case .unknown: return nil
    }
  }
}
