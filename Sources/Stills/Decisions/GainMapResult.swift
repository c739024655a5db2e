// SPDX-License-Identifier: MIT

internal import Colour
internal import HEIF
internal import Metadata

/// The result of the pass over a gain map.
indirect enum GainMapResult: Sendable {
  /// The map as a separate JPEG, including segments.
  case made(EncodedGainMap)
  /// The map as an item of a HEIC.
  case coded(CodedGainMap)
  /// The samples of the map, to be applied to the picture.
  case decoded(DecodedGainMap)
  /// The map turned out to contain colours; it needs another pass.
  case isColour
}

extension PassResults {
  /// The map to be written into a JPEG.
  var encodedGainMap: EncodedGainMap? {
    if case .made(let map) = gainMap { map } else { nil }
  }

  /// The map to be written into a HEIC.
  var codedGainMap: CodedGainMap? {
    if case .coded(let map) = gainMap { map } else { nil }
  }

  /// The map to be applied to the picture.
  var appliedGainMap: GainMapSamples? {
    if case .decoded(let map) = gainMap { map.samples } else { nil }
  }
}

/// A gain map that accompanies its picture in a HEIC.
struct CodedGainMap: Sendable {
  var auxiliary: NewAuxiliary
  var description: GainMapDescription
  /// Notes about the map.
  var notes: [String] = []
}

/// A gain map that is written after its picture.
struct EncodedGainMap: Sendable {
  var bytes: [UInt8]
  var width: Int
  var height: Int
  var description: GainMapDescription
}

/// A gain map in memory, to be applied to its picture.
struct DecodedGainMap: Sendable {
  var samples: GainMapSamples
  var description: GainMapDescription
}
