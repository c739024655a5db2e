// SPDX-License-Identifier: MIT

public import ApusBytes

/// Limits on the cost of decoding one file. They bound cost, never small counts.
public struct PlanLimits: NamedLimits, Hashable, Sendable {
  /// The maximum number of luma samples that are decoded, and that are painted, for one file, in millions.
  public var megapixels = 512
  /// The maximum length of a side of a canvas, and of each picture decoded for it, in samples. A band has the width of
  /// the canvas, so the area alone does not bound the size of a band.
  public var side = 131_072
  /// The maximum depth of derivations.
  public var derivations = 8
  /// The maximum number of placements of coded pictures, counting each step of nested derivations.
  public var pieces = 1 << 18
  /// The maximum number of extents of a file's items.
  public var extents = 1 << 20
  /// The maximum number of bytes of coded data read for one file.
  public var codedBytes = 1 << 30
  /// The maximum size of an ICC profile in bytes; larger ones are omitted.
  public var profileBytes = 16 << 20
  /// The maximum size of the Exif, the XMP or the IPTC of one file in bytes; larger ones are omitted.
  public var metadataBytes = 64 << 20
  /// The maximum memory for samples of one file, in mebibytes.
  public var mebibytes = 4096

  public init() {}

  /// The value of `megapixels` as a number of samples that can safely be added.
  public var pixels: Int { min(max(megapixels, 0), Int.max / 4_000_000) * 1_000_000 }

  /// Calls a function with every limit under the name that options use.
  public mutating func visit(_ body: (_ name: String, _ value: inout Int) -> Void) {
    body("megapixels", &megapixels)
    body("side", &side)
    body("derivations", &derivations)
    body("pieces", &pieces)
    body("extents", &extents)
    body("coded-bytes", &codedBytes)
    body("profile-bytes", &profileBytes)
    body("metadata-bytes", &metadataBytes)
    body("mebibytes", &mebibytes)
  }
}
