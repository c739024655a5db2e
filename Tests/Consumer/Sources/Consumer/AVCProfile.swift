// SPDX-License-Identifier: MIT

// begin
import AVC
import ApusBytes

/// Profile and level of a decoder configuration record (`avcC`).
func profile(ofRecord bytes: [UInt8]) throws(SyntaxError) -> (profile: UInt8, level: UInt8) {
  let record = try AVCConfiguration(bytes)
  return (record.profileIndication, record.levelIndication)
}
// end
