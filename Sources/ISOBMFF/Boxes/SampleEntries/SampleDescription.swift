// SPDX-License-Identifier: MIT

public import ApusBytes

/// Sample descriptions (`stsd`): ISO/IEC 14496-12, 8.5.2.
public struct SampleDescription: FullBox, ParentBox {
  public static let types: [FourCC] = ["stsd"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader()
  public var boxes: [Node] = []
  /// The number of boxes that are counted but absent.
  public var missingBoxes = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.framed(32, "entry_count", &boxes, missing: &missingBoxes)
  }

  /// Returns the meaning of a child's type: always a coding here, never the box with the same type elsewhere. Every
  /// coding of a video track begins with the same fields: ISO/IEC 14496-12, 12.1.3.
  public static func childType(_ type: FourCC, in parent: SyntaxReader.Step) -> ChildType {
    guard let entry = entries[type] else {
      return parent.handler == "vide" ? .box(VisualSampleEntry.self) : .unknown
    }
    return .box(
      parent.version == 1 && entry == AudioSampleEntry.self ? AudioSampleEntryV1.self : entry)
  }

  private static let entries: [FourCC: any Box.Type] = {
    let kinds: [any Box.Type] = [
      VisualSampleEntry.self, AudioSampleEntry.self, PlainSampleEntry.self,
      TimecodeSampleEntry.self, QuickTimeTextSampleEntry.self, TimedTextSampleEntry.self,
      XMLSubtitleSampleEntry.self, SimpleTextSampleEntry.self, XMLMetadataSampleEntry.self,
      BoxedMetadataSampleEntry.self,
    ]
    var table: [FourCC: any Box.Type] = [:]
    for kind in kinds {
      for type in kind.types { table[type] = kind }
    }
    return table
  }()
}
