// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
internal import ApusMedia

extension VideoEncoder {
  /// Returns the encoded pictures that are ready, in decoding order.
  func units() throws(MediaError) -> [CodedUnit] {
    var units: [CodedUnit] = []
    while let packet = try next() {
      units.append(
        CodedUnit(
          payload: packet.bytes, presentationTime: packet.presentationTime.value,
          decodeTime: packet.decodeTime.value, isKey: packet.isKey))
    }
    return units
  }
}
