// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ISOBMFF

extension PictureTraits {
  /// Returns the boxes of a visual sample entry that describe the traits, except for the shape of samples.
  func boxes(in style: MovieStyle) -> [Node] {
    var nodes: [Node] = []
    if let colour {
      var box = ColourInformation(colour)
      // QuickTime's form has no range.
      if style == .quickTime { box.colourType = "nclc" }
      nodes.append(Node("colr", box))
    }
    if !profile.isEmpty { nodes.append(Node("colr", ColourInformation(profile: profile))) }
    if let masteringDisplay {
      nodes.append(Node("mdcv", MasteringDisplayColourVolumeBox(masteringDisplay)))
    }
    if let contentLight {
      var box = ContentLightLevelBox()
      box.max = contentLight.maximum
      box.maxPictureAverage = contentLight.maximumAverage
      nodes.append(Node("clli", box))
    }
    if let dolbyVision {
      nodes.append(Node(dolbyVision.boxType, DolbyVisionConfiguration(dolbyVision)))
    }
    if let fields, fields != .progressive {
      var box = FieldHandling()
      box.fieldCount = 2
      box.fieldOrder = fields == .topFirst ? 1 : 6
      nodes.append(Node("fiel", box))
    }
    return nodes
  }
}

extension DolbyVision {
  fileprivate var boxType: FourCC {
    switch profile {
    case 0...7: "dvcC"
    case 8...10: "dvvC"
    default: "dvwC"
    }
  }
}

extension DolbyVisionConfiguration {
  fileprivate init(_ said: DolbyVision) {
    self.init()
    (versionMajor, versionMinor) = (said.versionMajor, said.versionMinor)
    (profile, level) = (said.profile, said.level)
    (isRPUPresent, isELPresent) = (said.hasRPUs, said.hasEnhancementLayer)
    (isBLPresent, compatibilityID) = (said.hasBaseLayer, said.compatibility)
    metadataCompression = said.compression
  }
}

extension MasteringDisplayColourVolumeBox {
  fileprivate init(_ display: MasteringDisplay) {
    self.init()
    primaries = [display.green, display.blue, display.red].map { Chromaticity($0) }
    whitePoint = Chromaticity(display.white)
    maxLuminance = display.maximumLuminance
    minLuminance = display.minimumLuminance
  }
}

extension Chromaticity {
  fileprivate init(_ point: MasteringDisplay.Chromaticity) {
    self.init()
    x = point.x
    y = point.y
  }
}
