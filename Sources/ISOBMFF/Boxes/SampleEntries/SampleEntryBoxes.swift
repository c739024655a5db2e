// SPDX-License-Identifier: MIT

/// Sample descriptions and their contents.
enum SampleEntryBoxes {
  static let all: [any Box.Type] = [
    SampleDescription.self,
    BitRate.self, PixelAspectRatio.self, CleanAperture.self, ColourInformation.self,
    FieldHandling.self, ChromaLocation.self, Gamma.self, CodingConstraints.self,
    AuxiliaryTypeInformation.self,
    MasteringDisplayColourVolumeBox.self, ContentLightLevelBox.self, ContentColourVolume.self,
    AmbientViewingEnvironmentBox.self, VPMasteringMetadata.self, VPContentLightLevel.self,
    SamplingRate.self, AudioChannelLayout.self, SoundDecompression.self, AudioEndianness.self,
    FontTable.self, WebVTTConfiguration.self, WebVTTSourceLabel.self, TextConfiguration.self,
    UniformResourceIdentifier.self, UniformResourceIdentifierInit.self,
    MetadataKeyDeclaration.self, MetadataDatatype.self, MetadataLocale.self,
  ]
}
