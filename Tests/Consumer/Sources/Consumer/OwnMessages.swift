// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import HEVC

/// A supplemental message of this program, as user data with a UUID.
struct Exposure: SEIPayload {
  static let payloadType: UInt32 = 5
  static let uuid = Array("exposure message".utf8)
  var identifier = uuid
  var milliseconds: UInt16 = 0

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.bytes("uuid_iso_iec_11578", &identifier, count: 16)
    guard identifier == Self.uuid else { throw v.failure(.invalid, "uuid", "is another") }
    try v.u(16, "milliseconds", &milliseconds)
  }
}

/// The exposure time in a NAL unit with supplemental information.
func exposure(in unit: [UInt8]) -> UInt16? {
  NALUnit<SupplementalInformation>(unit, payloads: [Exposure.self])
    .payload?.first(Exposure.self)?.milliseconds
}

func unit(exposure milliseconds: UInt16) throws(SyntaxError) -> [UInt8] {
  var message = Exposure()
  message.milliseconds = milliseconds
  var information = SupplementalInformation()
  information.messages = [SEIMessage(message)]
  return try NALUnit(NALUnitHeader(.prefixSEI), information).bytes()
}
// end
