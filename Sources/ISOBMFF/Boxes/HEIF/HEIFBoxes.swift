// SPDX-License-Identifier: MIT

/// Items and their properties.
enum HEIFBoxes {
  static let all: [any Box.Type] = [
    ItemLocation.self,
    ImageSpatialExtents.self,
  ]
}
