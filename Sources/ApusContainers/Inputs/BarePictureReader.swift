// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusSamples
internal import HEVC

/// The pictures of a bare HEVC stream in decoding order, with their order counts.
struct BarePictureReader: Sendable {
  private var accessUnits: AccessUnitReader
  private var orders: PictureOrderReader
  /// The number of access units before the first with which decoding can begin, and of those without a picture.
  private(set) var passedOver = 0

  /// The signs in the headers of its pictures that some pictures are missing.
  var doubts: [String] { orders.doubts }

  init(_ bytes: PulledBytes, limits: Limits) {
    accessUnits = AccessUnitReader(bytes, limits: limits)
    orders = PictureOrderReader(limits: limits, checks: true)
  }

  /// A reader for a second walk, which reports nothing that the first did.
  var unchecked: BarePictureReader {
    var result = self
    result.orders.stopChecking()
    return result
  }

  mutating func next() throws -> BarePicture? {
    while let units = try accessUnits.next() {
      if let picture = try orders.picture(of: units) { return picture }
      passedOver += 1
    }
    return nil
  }
}
