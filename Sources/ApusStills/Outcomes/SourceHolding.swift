// SPDX-License-Identifier: MIT

/// Something in the file of a photo that an output may lack. The same code lists the contents of sources and outputs.
///
/// Thumbnails are not included, because they can be made from the picture; nor are items and segments that only concern
/// its coding.
public struct SourceHolding: Hashable, Sendable, Codable {
  /// A kind of contents.
  public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
    /// The picture itself.
    case picture
    /// The picture's full resolution.
    case fullSize = "full-size"
    /// The part of the picture that a crop hides.
    case margins
    /// Other pictures in their own right: of a burst, a collection, a pair.
    case pictures
    /// Pictures that a viewer does not offer: hidden ones, and alternatives of another one.
    case hiddenPictures = "hidden-pictures"
    /// The transparency of a picture.
    case alpha
    /// Brightness beyond that of an SDR display, in a PQ or HLG picture.
    case highDynamicRange = "high-dynamic-range"
    case gainMap = "gain-map"
    case depth, mattes
    /// Auxiliary pictures of unknown purpose.
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
    /// Previews of the size of a screen, stored after the picture.
    case previews
    /// Names, descriptions and tags that are properties of items.
    case descriptions
    /// Other properties of items that are not carried over, with their types.
    case properties
    /// Items that are not carried over, with their types.
    case items
    /// Boxes that are not carried over, with their types.
    case boxes
    /// Segments of a JPEG or chunks of a PNG that are not carried over, with their names.
    case segments
    /// The trailer that Samsung's phones append to a picture.
    case samsungTrailer = "samsung-trailer"
    /// Contents that could not be read.
    case unreadable
    /// Bytes of media data or of free space that nothing in the file refers to; the count is their number.
    case unreferencedBytes = "unreferenced-bytes"
    /// Bytes of unknown structure; the count is their number.
    case trailingBytes = "trailing-bytes"
    /// Extended attributes of the file, in which programs keep tags and ratings, with their names.
    case attributes
  }

  /// The kind of the contents.
  public var kind: Kind
  /// The number of occurrences, or of bytes for kinds that count bytes.
  public var count: Int
  /// The types or names of the contents, each once; empty for kinds without names.
  public var names: [String]

  public init(_ kind: Kind, count: Int = 1, names: [String] = []) {
    self.kind = kind
    self.count = count
    self.names = names
  }
}

extension [SourceHolding] {
  /// Adds another occurrence of a kind.
  mutating func add(_ kind: SourceHolding.Kind, count: Int = 1, name: String? = nil) {
    let names = name.map { [$0] } ?? []
    guard let index = firstIndex(where: { $0.kind == kind }) else {
      return append(SourceHolding(kind, count: count, names: names))
    }
    self[index].count += count
    for name in names where !self[index].names.contains(name) { self[index].names.append(name) }
  }

  /// Returns the list ordered by kind instead of by position in the file.
  func sorted() -> [SourceHolding] {
    let order = SourceHolding.Kind.allCases
    return sorted {
      (order.firstIndex(of: $0.kind) ?? 0) < (order.firstIndex(of: $1.kind) ?? 0)
    }
  }
}
