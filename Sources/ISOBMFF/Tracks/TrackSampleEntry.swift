// SPDX-License-Identifier: MIT

public import ApusBytes

/// A sample entry of a track: ISO/IEC 14496-12, 8.5.2.
public struct TrackSampleEntry: Sendable {
  /// The box of the entry, with its path.
  public var located: LocatedNode
  /// The index from 1, as in `sample_description_index`.
  public var index: Int
  /// Whether the samples are in another file.
  public var isExternal: Bool

  init(located: LocatedNode, index: Int, references: [Node]) {
    self.located = located
    self.index = index
    let reference = (located.node.box as? any SampleEntry)?.start.dataReferenceIndex ?? 1
    let position = Int(reference) - 1
    isExternal =
      references.indices.contains(position)
      && (references[position].box as? any FullBox).map { $0.flags & 1 == 0 } ?? false
      && references[position].type != "imdt"
  }

  /// The type of the box, such as `hvc1` or `encv`.
  public var type: FourCC { located.node.type }
  /// The box of the entry.
  public var node: Node { located.node }
  /// The path of the box, such as `moov/trak/mdia/minf/stbl/stsd/hvc1`.
  public var path: String { located.path }

  /// Whether the samples are encrypted or restricted, which hides their coding.
  package var isProtected: Bool { type != codingType }

  /// The type of the coding, even if it is hidden by protection or restriction (`frma`).
  public var codingType: FourCC {
    let boxes = located.node.children
    for index in boxes.indices where boxes[index].type == "sinf" || boxes[index].type == "rinf" {
      if let original = LocatedNode(boxes[index]).box(at: "frma", as: OriginalFormat.self) {
        return original.dataFormat
      }
    }
    return type
  }
}
