// SPDX-License-Identifier: MIT

import HEVC
import Testing

@testable import ApusLive

@Suite struct ReferenceRoleTests {
  @Test(
    arguments: [
      (.trailN, 0, ReferenceRole(.trailing, isReference: false)),
      (.trailR, 2, ReferenceRole(.trailing, temporalID: 2)),
      (.tsaN, 1, ReferenceRole(.trailing, isReference: false, temporalID: 1, access: .all)),
      (.stsaR, 1, ReferenceRole(.trailing, temporalID: 1, access: .own)),
      (.raslN, 0, ReferenceRole(.rasl, isReference: false)), (.raslR, 0, ReferenceRole(.rasl)),
      (.radlR, 0, ReferenceRole(.radl)), (.blaWLP, 0, ReferenceRole(.randomAccess)),
      (.idrNLP, 0, ReferenceRole(.randomAccess)), (.cra, 0, ReferenceRole(.randomAccess)),
    ] as [(NALUnitType, UInt8, ReferenceRole)])
  func `it reads the header of a slice`(type: NALUnitType, temporalID: UInt8, role: ReferenceRole) {
    let delimiter: [UInt8] = [0, 0, 0, 3, NALUnitType.aud.rawValue << 1, 1, 0x50]
    let sample = delimiter + Handmade.picture(type, temporalID: temporalID)
    #expect(ReferenceRole(hevc: sample.span, lengthSize: 4) == role)
  }

  @Test(
    arguments: [
      (0x65, false, ReferenceRole(.randomAccess)), (0x41, false, ReferenceRole(.trailing)),
      (0x01, false, ReferenceRole(.trailing, isReference: false)),
      (0x41, true, ReferenceRole(.randomAccess)),
    ] as [(UInt8, Bool, ReferenceRole)])
  func `it reads AVC`(first: UInt8, isSync: Bool, role: ReferenceRole) {
    let sample: [UInt8] = [0, 2, 0x09, 0xf0, 0, 3, first, 0x88, 0x84]
    #expect(ReferenceRole(avc: sample.span, lengthSize: 2, isSync: isSync) == role)
  }

  @Test(arguments: [
    [], [0, 0, 0], [0, 0, 0, 9, 2], [0, 0, 0, 1, 2], [255, 255, 255, 255, 2, 1],
  ])
  func `it finds none in what is broken`(sample: [UInt8]) {
    #expect(ReferenceRole(hevc: sample.span, lengthSize: 4) == nil)
  }
}
