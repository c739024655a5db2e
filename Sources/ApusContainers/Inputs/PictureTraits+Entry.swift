// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
package import ApusMedia
internal import ApusSamples
package import HEVC
package import ISOBMFF

extension PictureTraits {
  /// Reads the traits from a visual sample entry and, where its boxes do not give them, from the parameter sets of its
  /// record.
  package init(entry: TrackSampleEntry, headers: HeadersReader = HeadersReader()) throws {
    try self.init(entry)
    for box in entry.node.children {
      if let record = (box.box as? HEVCConfiguration)?.record, box.type == "hvcC" {
        complete(from: headers.headers(of: record))
      } else if let sequence = (box.box as? AVCConfiguration)?.firstSequence {
        complete(from: sequence)
      }
      complete(fromBox: box.box)
    }
  }

  /// Reads the traits from the boxes of a visual sample entry.
  init(_ entry: TrackSampleEntry) throws {
    self.init()
    for box in entry.located.children {
      if let said = box.box(ColourInformation.self) {
        switch said.colourType {
        case "nclx", "nclc": colour = ColourDescription(said)
        case "rICC", "prof":
          if said.profile.count <= Self.largestProfile { profile = try said.profile.bytes() }
        default: break
        }
      } else if let said = box.box(PixelAspectRatio.self), said.hSpacing > 0, said.vSpacing > 0 {
        sampleAspect = SampleAspect(Int(said.hSpacing), Int(said.vSpacing))
      } else if let said = box.box(MasteringDisplayColourVolumeBox.self) {
        let points = said.primaries.map { MasteringDisplay.Chromaticity($0.x, $0.y) }
        masteringDisplay = MasteringDisplay(
          red: points[2], green: points[0], blue: points[1],
          white: .init(said.whitePoint.x, said.whitePoint.y),
          maximumLuminance: said.maxLuminance, minimumLuminance: said.minLuminance)
      } else if let said = box.box(ContentLightLevelBox.self) {
        contentLight = ContentLight(maximum: said.max, maximumAverage: said.maxPictureAverage)
      } else if let said = box.box(DolbyVisionConfiguration.self) {
        dolbyVision = DolbyVision(said)
      } else if let said = box.box(FieldHandling.self) {
        fields = FieldOrder(said)
      }
    }
  }

  private static let largestProfile = 16 << 20
}
