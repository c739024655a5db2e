// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia

extension DolbyVision {
  /// Creates the configuration from the fields of its box.
  public init(_ box: DolbyVisionConfiguration) {
    self.init(profile: box.profile, level: box.level)
    (versionMajor, versionMinor) = (box.versionMajor, box.versionMinor)
    (hasRPUs, hasEnhancementLayer) = (box.isRPUPresent, box.isELPresent)
    (hasBaseLayer, compatibility) = (box.isBLPresent, box.compatibilityID)
    compression = box.metadataCompression
  }
}

extension Node {
  /// The Dolby Vision configuration in a sample entry.
  public var dolbyVision: DolbyVision? {
    children.lazy.compactMap { $0.box as? DolbyVisionConfiguration }.first.map { DolbyVision($0) }
  }
}
