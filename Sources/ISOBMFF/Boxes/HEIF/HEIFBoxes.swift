// SPDX-License-Identifier: MIT

/// Items and their properties.
enum HEIFBoxes {
  static let all: [any Box.Type] =
    items + properties + captureProperties + configurations + [
      EntityGroups.self, MinimizedImage.self, MotionVideo.self, SamsungTrailer.self,
    ]

  private static let items: [any Box.Type] = [
    PrimaryItem.self, ItemInformation.self, ItemInformationEntry.self, ItemLocation.self,
    ItemReferences.self, ItemData.self, ItemProtections.self, ItemPropertyAssociations.self,
  ]

  private static let properties: [any Box.Type] = [
    ImageSpatialExtents.self, PixelInformation.self, ImageRotation.self, ImageMirror.self,
    ImageScaling.self, RelativeLocation.self, AuxiliaryType.self, LayerSelection.self,
    TargetOutputLayerSet.self, OperatingPoints.self, OperatingPointSelection.self,
    LayeredImageIndexing.self, UserDescription.self, AccessibilityText.self, CreationTime.self,
    ModificationTime.self, RequiredReferenceTypes.self, ReferenceViewingEnvironment.self,
    NominalDiffuseWhite.self, TAITimestamp.self, TAIClock.self,
  ]

  private static let captureProperties: [any Box.Type] = [
    CameraIntrinsics.self, CameraExtrinsics.self, ExposureBracketing.self,
    WhiteBalanceBracketing.self, FocusBracketing.self, FlashBracketing.self,
    DepthOfFieldBracketing.self, Panorama.self, SlideTransition.self, ZoomTransition.self,
    TransitionPeriod.self, SlideDuration.self,
  ]

  private static let configurations: [any Box.Type] = [
    MaskConfiguration.self, JPEGConfiguration.self, JPEG2000Header.self, ChannelDefinition.self,
    UncompressedConfiguration.self, ComponentDefinition.self, CompressionConfiguration.self,
    CompressedUnits.self,
  ]
}
