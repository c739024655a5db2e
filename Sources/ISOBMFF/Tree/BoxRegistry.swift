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
  private static let families: [[any Box.Type]] = [
    FileBoxes.all, MovieBoxes.all, SampleTableBoxes.all, FragmentBoxes.all, MetadataBoxes.all,
    SampleEntryBoxes.all, CodecBoxes.all, ProtectionBoxes.all, SpatialBoxes.all, HEIFBoxes.all,
  ]

  static func box(for type: FourCC, in parent: SyntaxReader.Step?) -> (any Box.Type)? {
    guard let parent, let parentType = boxes[parent.type] as? any ParentBox.Type else {
      return boxes[type]
    }
    switch parentType.childType(type, in: parent) {
    case .registered: return boxes[type]
    case .box(let box): return box
    case .unknown: return nil
    }
  }
}
