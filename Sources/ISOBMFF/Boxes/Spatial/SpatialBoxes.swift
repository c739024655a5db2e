// SPDX-License-Identifier: MIT

/// Stereo and spatial video as Apple writes it.
enum SpatialBoxes {
  static let all: [any Box.Type] = []
}
