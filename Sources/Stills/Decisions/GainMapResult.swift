// SPDX-License-Identifier: MIT

internal import Colour
internal import HEIF
internal import Metadata

/// What the pass over a gain map has come to.
indirect enum GainMapResult: Sendable {
  /// The map as a JPEG of its own, segments included.
  case made(EncodedGainMap)
  /// The map as an item of a HEIC.
  case coded(CodedGainMap)
  /// The map itself, for a picture that it is applied to.
  case decoded(DecodedGainMap)
  /// It holds colours, which was found out too late; it has to be gone over again.
  case isColour
}

extension PassResults {
  /// The map that goes into a JPEG.
  var encodedGainMap: EncodedGainMap? {
    if case .made(let map) = gainMap { map } else { nil }
  }

  /// The map that goes into a HEIC.
  var codedGainMap: CodedGainMap? {
    if case .coded(let map) = gainMap { map } else { nil }
  }

  /// The map that is applied to the picture.
  var appliedGainMap: GainMapSamples? {
    if case .decoded(let map) = gainMap { map.samples } else { nil }
  }
}

/// A gain map that accompanies its picture in a HEIC.
struct CodedGainMap: Sendable {
  var auxiliary: NewAuxiliary
  var description: GainMapDescription
  /// What a person should know.
  var notes: [String] = []
}

/// A gain map that is written after its picture.
struct EncodedGainMap: Sendable {
  var bytes: [UInt8]
  var width: Int
  var height: Int
  var description: GainMapDescription
}

/// A gain map in memory, for a picture that it is applied to.
struct DecodedGainMap: Sendable {
  var samples: GainMapSamples
  var description: GainMapDescription
}
