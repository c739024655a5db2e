// SPDX-License-Identifier: MIT

internal import Colour
internal import HEIF
internal import Media

/// What earlier passes over a picture have found.
struct PassResults: Sendable {
  /// The brightest light of an HDR picture, in cd/m².
  var peak: Double?
  /// Its bands, where a pass over it has kept them.
  var kept: KeptBands?
  /// A small JPEG of it.
  var thumbnail: [UInt8]?
  /// All of it, smaller.
  var scaled: ScaledPicture?
  /// What has become of its gain map; `nil` before a pass over that.
  var gainMap: GainMapResult?
  /// Why the gain map of the file is left out, where it is.
  var gainMapLoss: MediaError?
  /// The map of an HDR picture, which makes the SDR one of it.
  var mapTowardsSDR: GainMapSamples?
  /// What has become of the other pictures that accompany it, in their order.
  var auxiliaries: [AuxiliaryResult] = []
}

/// What has become of a picture that accompanies another.
enum AuxiliaryResult: Sendable {
  case made(NewAuxiliary)
  /// It is left out, and why.
  case dropped(String)
}

extension PassResults {
  /// The gain map is left out, or the photo fails, as was asked for.
  mutating func drop(gainMap reason: any Error, _ options: ConvertOptions) throws {
    guard !options.isStrictAboutHDR else {
      throw MediaError(reason).inside("the gain map cannot be kept: ")
    }
    gainMapLoss = MediaError(reason)
  }

  mutating func drop(auxiliary name: String, _ reason: any Error) {
    auxiliaries.append(.dropped("the \(name) is left out: \(reason)"))
  }
}
