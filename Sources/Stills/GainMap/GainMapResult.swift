// SPDX-License-Identifier: MIT

internal import Colour
internal import Metadata

/// What the pass over a gain map has come to.
enum GainMapResult: Sendable {
  /// The map as a JPEG of its own, segments included.
  case made(EncodedGainMap)
  /// The map itself, for a picture that it is applied to.
  case decoded(DecodedGainMap)
  /// It holds colours, which was found out too late; it has to be gone over again.
  case isColour
  /// It is left out, and why.
  case dropped(String)
}

extension PassResults {
  /// The map that goes into the output.
  var encodedGainMap: EncodedGainMap? {
    if case .made(let map) = gainMap { map } else { nil }
  }

  /// The map that is applied to the picture.
  var appliedGainMap: GainMapSamples? {
    if case .decoded(let map) = gainMap { map.samples } else { nil }
  }
}

/// A gain map that is written behind its picture.
struct EncodedGainMap: Sendable {
  var bytes: [UInt8]
  var width: Int
  var height: Int
  var description: GainMapDescription
}
