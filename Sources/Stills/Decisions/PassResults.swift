// SPDX-License-Identifier: MIT

internal import Colour
internal import HEIF
internal import Media

/// The results of earlier passes over a picture.
struct PassResults: Sendable {
  /// The peak brightness of an HDR picture, in cd/m².
  var peak: Double?
  /// The picture's bands, if a pass has kept them.
  var kept: KeptBands?
  /// A thumbnail of the picture as JPEG.
  var thumbnail: [UInt8]?
  /// The whole picture, reduced.
  var scaled: ScaledPicture?
  /// The result for its gain map; `nil` before the pass over it.
  var gainMap: GainMapResult?
  /// The reason why the file's gain map is omitted, if it is.
  var gainMapLoss: MediaError?
  /// The map that turns an HDR picture into its SDR version.
  var mapTowardsSDR: GainMapSamples?
  /// The results for its auxiliary pictures, in order.
  var auxiliaries: [AuxiliaryResult] = []
}

/// The result for an auxiliary picture.
enum AuxiliaryResult: Sendable {
  case made(NewAuxiliary)
  /// The picture is omitted, for the given reason.
  case dropped(String)
}

extension PassResults {
  /// Omits the gain map, or throws if the options require it.
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
