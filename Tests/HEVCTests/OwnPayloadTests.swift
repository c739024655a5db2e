// SPDX-License-Identifier: MIT

import ApusBytes
import HEVC
import Testing

@Suite struct OwnPayloadTests {
  /// A payload whose type the standard reserves.
  private struct AcmePayload: SEIPayload {
    static let payloadType: UInt32 = 300
    var level: UInt16 = 0

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(16, "level", &level)
    }
  }

  /// User data with a certain UUID.
  private struct AcmeData: SEIPayload {
    static let payloadType: UInt32 = 5
    static let uuid = Array("acme's own UUID.".utf8)
    var identifier = uuid
    var level: UInt8 = 0

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.bytes("uuid_iso_iec_11578", &identifier, count: 16)
      guard identifier == Self.uuid else { throw v.failure(.invalid, "uuid", "is another") }
      try v.u(8, "level", &level)
    }
  }

  @Test func `it reads payloads that a program declares, and others as before`() throws {
    var (payload, data) = (AcmePayload(), AcmeData())
    (payload.level, data.level) = (7, 9)
    var other = AcmeData.uuid
    other[0] = 0
    var information = SupplementalInformation()
    information.messages = [
      SEIMessage(payload), SEIMessage(data), SEIMessage(payloadType: 5, bytes: other + [1, 2]),
      SEIMessage(payloadType: 301, bytes: [3]),
    ]
    let bytes = try NALUnit(NALUnitHeader(.prefixSEI), information).bytes()
    let unit = NALUnit<SupplementalInformation>(bytes, payloads: [AcmePayload.self, AcmeData.self])
    let messages = try #require(unit.payload).messages
    #expect((messages[0].payload as? AcmePayload)?.level == 7)
    #expect((messages[1].payload as? AcmeData)?.level == 9)
    #expect(messages[2].payload is UnregisteredUserData)
    #expect(messages[3].payload == nil)
    #expect(try unit.bytes() == bytes)

    let plain = try #require(NALUnit<SupplementalInformation>(bytes).payload).messages
    #expect(plain[0].payload == nil)
    #expect(plain[1].payload is UnregisteredUserData)
  }
}
