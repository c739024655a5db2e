// SPDX-License-Identifier: MIT

/// Something that the file of a photo holds and that an output of it may lack. Sources and outputs are listed by the same code.
///
/// Thumbnails are not among them, for they are made from the picture; nor are those items and segments that only say how
/// the picture is coded.
public struct SourceHolding: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The picture itself.
    case picture
    /// Its samples in full number.
    case fullSize = "full-size"
    /// What a crop of the picture hides.
    case margins
    /// Other pictures of their own: of a burst, a collection, a pair.
    case pictures
    /// Pictures that a viewer does not offer: hidden, or an alternative of another one.
    case hiddenPictures = "hidden-pictures"
    /// What says how transparent a picture is.
    case alpha
    /// Brightness beyond that of an SDR display, in a PQ or HLG picture.
    case highDynamicRange = "high-dynamic-range"
    case gainMap = "gain-map"
    case depth, mattes
    /// Auxiliary pictures whose purpose is not known.
    case auxiliaries
    /// Exif and XMP of depth and mattes.
    case auxiliaryMetadata = "auxiliary-metadata"
    /// Layers of a coded picture beyond the base layer, such as the other eye.
    case layers
    /// Metadata of the picture, and its ICC profile.
    case exif, xmp, iptc
    case profile = "colour-profile"
    case motionVideo = "motion-video"
    /// Tracks of an image sequence, or of sound.
    case tracks
    /// Smaller forms of the picture after it, as large as a screen.
    case previews
    /// Names, descriptions and tags that are properties of items.
    case descriptions
    /// Other properties of items that are not taken over, by their types.
    case properties
    /// Items whose types are not taken over, by these.
    case items
    /// Boxes whose types are not taken over, by these.
    case boxes
    /// Segments of a JPEG or chunks of a PNG that are not taken over, by their names.
    case segments
    /// What Samsung's phones put after a picture.
    case samsungTrailer = "samsung-trailer"
    /// What could not be read.
    case unreadable
    /// Bytes of media data or of free space that nothing in the file refers to; their number is the count.
    case unreferencedBytes = "unreferenced-bytes"
    /// Bytes in which no structure was found; their number is the count.
    case trailingBytes = "trailing-bytes"
    /// Extended attributes of the file, in which programs keep tags and ratings, by their names.
    case attributes
  }

  public var kind: Kind
  public var count: Int
  public var names: [String]

  public init(_ kind: Kind, count: Int = 1, names: [String] = []) {
    self.kind = kind
    self.count = count
    self.names = names
  }
}

extension [SourceHolding] {
  /// Adds one more of a kind.
  mutating func add(_ kind: SourceHolding.Kind, count: Int = 1, name: String? = nil) {
    let names = name.map { [$0] } ?? []
    guard let index = firstIndex(where: { $0.kind == kind }) else {
      return append(SourceHolding(kind, count: count, names: names))
    }
    self[index].count += count
    for name in names where !self[index].names.contains(name) { self[index].names.append(name) }
  }

  /// The same in the order of their kinds, whatever the file's is.
  func sorted() -> [SourceHolding] {
    let order = SourceHolding.Kind.allCases
    return sorted {
      (order.firstIndex(of: $0.kind) ?? 0) < (order.firstIndex(of: $1.kind) ?? 0)
    }
  }
}
