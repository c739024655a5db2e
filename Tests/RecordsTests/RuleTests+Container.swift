// SPDX-License-Identifier: MIT

import ApusBytes
import ApusRecords
import HEVC
import ISOBMFF
import TestSupport

/// Rules about what the container says beside the record.
extension RuleTests {
  static let containerRows: [Row] = [
    Row("size-entry") { try $0.entry { $0.width += 2 } },
    Row("size-track") { scene in
      try scene.box("moov/trak/tkhd") { (box: inout TrackHeader) in box.width *= 3 }
    },
    Row("size-item", "still-64x48.heic") { scene in
      try scene.box("meta/iprp/ipco/ispe") { (box: inout ImageSpatialExtents) in box.width = 100 }
    },
    Row("size-item-missing", "still-64x48.heic") { scene in
      try scene.box("meta/iprp/ipma") { (box: inout ItemPropertyAssociations) in
        box.entries[0].associations.removeAll { $0.propertyIndex != 1 }
      }
    },
    Row(
      "depth-item", "still-64x48.heic", valid: addPixels,
      invalid: { scene in
        try scene.box("meta/iprp/ipco/pixi") { (box: inout PixelInformation) in
          box.bitsPerChannel = [10, 10, 10]
        }
      }),
    Row(
      "colour-colr", "hdr10-boxes.mp4", valid: describe,
      invalid: { scene in
        try scene.entry { entry in
          for index in entry.boxes.indices {
            guard var box = entry.boxes[index].box as? ColourInformation else { continue }
            box.transferCharacteristics = 1
            entry.boxes[index].box = box
          }
        }
      }),
    Row("hdr-mastering", "hdr10-boxes.mp4") { scene in
      try scene.entry { entry in
        for index in entry.boxes.indices {
          guard var box = entry.boxes[index].box as? MasteringDisplayColourVolumeBox else {
            continue
          }
          box.maxLuminance += 1
          entry.boxes[index].box = box
        }
      }
    },
    Row("hdr-light-level", "hdr10-boxes.mp4") { scene in
      try scene.entry { entry in
        for index in entry.boxes.indices {
          guard var box = entry.boxes[index].box as? ContentLightLevelBox else { continue }
          box.max += 1
          entry.boxes[index].box = box
        }
      }
    },
    Row(
      "hdr-alone", "hdr10-boxes.mp4", valid: describe,
      invalid: { scene in
        try scene.entry { entry in
          for index in entry.boxes.indices {
            guard var box = entry.boxes[index].box as? ColourInformation else { continue }
            box.transferCharacteristics = 1
            entry.boxes[index].box = box
          }
        }
      }),
    Row(
      "dolby-vision", "hdr10-boxes.mp4", valid: { try $0.add("dvvC", dolbyVision(8)) },
      invalid: { scene in
        try scene.entry { entry in entry.boxes.removeAll { $0.type == "dvvC" } }
        try scene.add("dvcC", dolbyVision(5))
      }),
    Row(
      "dolby-vision-rpus", "hdr10-boxes.mp4",
      valid: { scene in
        var box = dolbyVision(8)
        box.isRPUPresent = false
        try scene.add("dvvC", box)
      },
      invalid: { scene in
        try scene.entry { entry in entry.boxes.removeAll { $0.type == "dvvC" } }
        try scene.add("dvvC", dolbyVision(8))
      }),
    Row("dolby-vision-missing") { scene in
      // One without a mapping: its header, and the checksum.
      try scene.insert(hex("7c01190809084061365040fe2665b780"), beforePicture: 0)
    },
    Row(
      "layers-vps", valid: addLayer,
      invalid: { scene in
        try scene.set { (set: inout VideoParameterSet) in set.vpsMaxLayersMinus1 = 0 }
      }),
    Row(
      "layers-missing",
      valid: { scene in
        try addLayer(&scene)
        try scene.entry { entry in entry.boxes.removeAll { $0.type == "lhvC" } }
        try scene.record { $0.arrays[1].nalUnits.append(raised($0.arrays[1].nalUnits[0])) }
      },
      invalid: { scene in
        try scene.record { _ = $0.arrays[1].nalUnits.removeLast() }
      }),
    Row(
      "layers-place", valid: addLayer,
      invalid: { scene in
        try scene.record { $0.arrays[1].nalUnits.append(raised($0.arrays[1].nalUnits[0])) }
      }),
    Row(
      "layers-lengths", valid: addLayer, invalid: { try $0.record { $0.lengthSizeMinusOne = 1 } }),
    Row(
      "layers-vexu",
      valid: { scene in
        try addLayer(&scene)
        try addViews(&scene)
      },
      invalid: { scene in
        try scene.entry { entry in entry.boxes.removeAll { $0.type == "lhvC" } }
      }),
    Row("apple-entry") { try $0.retag("hev1") },
    Row("apple-profile") { scene in
      try scene.set { (set: inout SequenceParameterSet) in
        set.profileTierLevel.general.profileIDC = 4
        set.profileTierLevel.general.profileCompatibilityFlags = 0x0800_0000
      }
    },
  ]

  private static let addPixels: @Sendable (inout Scene) throws -> Void = { scene in
    var pixels = PixelInformation()
    pixels.bitsPerChannel = [8, 8, 8]
    try scene.property("pixi", pixels)
  }

  /// PQ in BT.2020, in the VUI and in `colr`.
  static let describe: @Sendable (inout Scene) throws -> Void = { scene in
    try scene.set { (set: inout SequenceParameterSet) in
      set.vui.videoSignalTypePresentFlag = true
      set.vui.videoFullRangeFlag = false
      set.vui.colourDescriptionPresentFlag = true
      set.vui.colourPrimaries = 9
      set.vui.transferCharacteristics = 16
      set.vui.matrixCoeffs = 9
    }
    var colour = ColourInformation()
    colour.colourPrimaries = 9
    colour.transferCharacteristics = 16
    colour.matrixCoefficients = 9
    try scene.entry { entry in entry.boxes.removeAll { $0.type == "colr" } }
    try scene.add("colr", colour)
  }

  private static func dolbyVision(_ profile: UInt8) -> DolbyVisionConfiguration {
    var box = DolbyVisionConfiguration()
    box.profile = profile
    box.compatibilityID = profile == 8 ? 1 : 0
    return box
  }

  /// A second layer with a set of its own.
  private static let addLayer: @Sendable (inout Scene) throws -> Void = { scene in
    try scene.set { (set: inout VideoParameterSet) in set.vpsMaxLayersMinus1 = 1 }
    var upper = LayeredHEVCConfiguration()
    try scene.record { record in
      var array = record.arrays[1]
      array.nalUnits = [raised(array.nalUnits[0])]
      upper.record.arrays = [array]
    }
    try scene.add("lhvC", upper)
  }

  private static let addViews: @Sendable (inout Scene) throws -> Void = { scene in
    var view = StereoView()
    view.hasLeftEyeView = true
    view.hasRightEyeView = true
    var eyes = StereoEyes()
    eyes.boxes = [Node("stri", view)]
    var extended = Container()
    extended.boxes = [Node("eyes", eyes)]
    try scene.add("vexu", extended)
  }
}

extension Scene {
  /// Another type for the sample entry.
  mutating func retag(_ type: FourCC) throws {
    try box("moov/trak/mdia/minf/stbl/stsd") { (box: inout SampleDescription) in
      for index in box.boxes.indices {
        box.boxes[index].header.type = type
        box.boxes[index].extent = nil
      }
    }
  }

  /// One more property for the first item, in place of one of its kind.
  mutating func property(_ type: FourCC, _ box: any Box) throws {
    var index: UInt16 = 0
    try self.box("meta/iprp/ipco") { (list: inout Container) in
      list.boxes.removeAll { $0.type == type }
      list.boxes.append(Node(type, box))
      index = UInt16(list.boxes.count)
    }
    try self.box("meta/iprp/ipma") { (list: inout ItemPropertyAssociations) in
      var association = ItemPropertyAssociations.Association()
      association.propertyIndex = index
      list.entries[0].associations.append(association)
    }
  }
}
