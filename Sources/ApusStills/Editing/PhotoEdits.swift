// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia
public import ApusMetadata
internal import HEIF
internal import ISOBMFF

/// Changes to a photo that lose nothing of its coded pictures.
public struct PhotoEdits: Hashable, Sendable {
  /// A part of the file to remove.
  public enum Part: String, Hashable, Sendable, CaseIterable {
    /// Small pictures, as items and in Exif.
    case thumbnail
    /// Larger forms of a picture next to it: in Exif, and after the picture of a JPEG.
    case preview
    case gainMap = "gain-map"
    case depth, matte
    /// Every auxiliary picture except alpha, which is a part of the picture.
    case auxiliary
    /// The video of a motion photo.
    case motion
    /// Data after the pictures of a JPEG, such as Samsung's blocks; the block of Samsung's data in a HEIC.
    case trailer
    /// Content Credentials.
    case c2pa
  }

  /// A small form of the picture that becomes a part of its file.
  public enum NewThumbnail: Hashable, Sendable {
    /// One with this longer side in samples, which `makeThumbnail` makes of the picture; `nil` for 320 in a HEIC and for
    /// 160 in a JPEG.
    case side(Int?)
    /// A HEIC for a file of items, or a JPEG without application segments, in the stored orientation of the picture.
    case file([UInt8])
    /// None, for a reason that is reported as a warning.
    case omitted(because: String)
  }

  /// The changes to Exif, XMP and IPTC.
  public var metadata = MetadataEdits()
  /// The part to keep of the picture as it is displayed, before it is turned; `nil` to keep all. Only a HEIF picture is
  /// cropped, and its file keeps the rest.
  public var crop: PictureCrop?
  /// The orientation that follows the present one.
  public var turn = Orientation.upright
  /// Whether the coded picture of a JPEG is turned as its orientation says, without loss, so that no tag is needed. A
  /// HEIC is only ever turned by its properties.
  public var bakesOrientation = false
  /// The parts to remove, and everything that only they need.
  public var removals: Set<Part> = []
  /// Whether the gain map of a HEIC is described both in Apple's form and by ISO 21496-1. Its codes stay.
  public var describesGainMapTwice = false
  /// The thumbnail to add; `nil` for none.
  public var thumbnail: NewThumbnail?
  /// The item that becomes the primary picture of a HEIC; `nil` to keep it.
  public var primary: UInt32?

  public init() {}

  /// Replaces Exif, XMP and IPTC by those of another photo; throws if it cannot be read.
  public mutating func copyMetadata(of other: any ByteSource) throws {
    let contents = try PhotoContents(other, FileKind(of: other), ConvertOptions())
    let found = try contents.source.metadata(of: try contents.primaryPicture())
    (metadata.exif, metadata.iptc) = (found.exif, found.iptc)
    metadata.xmp = found.xmp.map(XMPAnnouncements.removed)
    metadata.replacesAll = true
  }

  /// The changes to metadata, also by the parts that are removed.
  var allMetadata: MetadataEdits {
    var edits = metadata
    if removals.contains(.thumbnail) { edits.strip.insert(.thumbnail) }
    if removals.contains(.preview) { edits.strip.insert(.preview) }
    return edits
  }

  /// Whether nothing is changed.
  public var isEmpty: Bool { self == PhotoEdits() }
}

extension PhotoEdits.Part {
  /// Returns whether an item is such a part.
  func fits(_ item: Item, _ graph: ItemGraph) -> Bool {
    let kind = item.auxiliaryKind
    return switch self {
    case .thumbnail: item.isThumbnail(in: graph)
    case .gainMap:
      kind == .gainMap
        || graph.referrers(to: item.id, by: "dimg").contains { toneMap in
          graph.item(toneMap).map { $0.type == "tmap" && $0.targets("dimg").first != item.id }
            ?? false
        }
    case .depth: kind == .depth
    case .matte: if case .matte? = kind { true } else { false }
    case .auxiliary: !item.targets("auxl").isEmpty && kind != .alpha
    case .preview, .motion, .trailer, .c2pa: false
    }
  }
}

extension Item {
  /// Whether the item is a small form of a picture; some writers reverse the reference, so sizes count.
  fileprivate func isThumbnail(in graph: ItemGraph) -> Bool {
    guard let own = ItemGeometry(self) else { return false }
    return targets("thmb").compactMap(graph.item).compactMap { ItemGeometry($0) }.contains {
      UInt64(own.width) * UInt64(own.height) < UInt64($0.width) * UInt64($0.height)
    }
  }
}
