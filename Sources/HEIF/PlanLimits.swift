// SPDX-License-Identifier: MIT

public import Bytes

/// Bounds on what one file may cost to decode. They bound cost, never small counts.
public struct PlanLimits: NamedLimits, Hashable, Sendable {
  /// Samples of luma that are decoded, and that are painted, for one file, in millions.
  public var megapixels = 512
  /// Samples along a side of a canvas, and of each picture that is decoded for it. A band of the canvas is as wide as
  /// the canvas, so its area alone does not bound what a band takes.
  public var side = 131_072
  /// The maximum depth of derivations.
  public var derivations = 8
  /// How often a part of a coded picture may be laid down, the steps of nested derivations counted one by one.
  public var pieces = 1 << 18
  /// The most stretches of the file that the data of its items may lie in.
  public var extents = 1 << 20
  /// Bytes of coded data that are read for one file.
  public var codedBytes = 1 << 30
  /// Bytes of an ICC profile. What is larger is left out.
  public var profileBytes = 16 << 20
  /// Bytes of Exif, of XMP or of IPTC in one file. What is larger is left out.
  public var metadataBytes = 64 << 20
  /// Mebibytes of samples that one file may hold in memory at once.
  public var mebibytes = 4096

  public init() {}

  /// `megapixels` as a number of samples that can be added up.
  public var pixels: Int { min(max(megapixels, 0), Int.max / 4_000_000) * 1_000_000 }

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
