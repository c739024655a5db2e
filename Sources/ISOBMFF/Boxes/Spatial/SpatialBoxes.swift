// SPDX-License-Identifier: MIT

/// Stereo and spatial video as Apple and Google write it.
enum SpatialBoxes {
  static let all: [any Box.Type] = [
    StereoEyes.self, HeroStereoEye.self, StereoBaseline.self,
    StereoDisparityAdjustment.self, RequiredBoxTypes.self, ProjectionInformation.self,
    ViewPackingInformation.self, HorizontalFieldOfView.self,
    StereoscopicMode.self, SphericalVideoHeader.self, ProjectionHeader.self,
    EquirectangularProjection.self, CubemapProjection.self,
  ]
}
