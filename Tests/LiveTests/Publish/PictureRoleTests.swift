// SPDX-License-Identifier: MIT

import HEVC
import Testing

@testable import ApusLive

@Suite struct PictureRoleTests {
  @Test(
    arguments: [
      (.trailN, 0, PictureRole(.trailing, isReference: false)),
      (.trailR, 2, PictureRole(.trailing, temporalID: 2)),
      (.tsaN, 1, PictureRole(.trailing, isReference: false, temporalID: 1, access: .all)),
      (.stsaR, 1, PictureRole(.trailing, temporalID: 1, access: .own)),
      (.raslN, 0, PictureRole(.rasl, isReference: false)), (.raslR, 0, PictureRole(.rasl)),
      (.radlR, 0, PictureRole(.radl)), (.blaWLP, 0, PictureRole(.randomAccess)),
      (.idrNLP, 0, PictureRole(.randomAccess)), (.cra, 0, PictureRole(.randomAccess)),
    ] as [(NALUnitType, UInt8, PictureRole)])
  func `it reads the header of a slice`(type: NALUnitType, temporalID: UInt8, role: PictureRole) {
    let delimiter: [UInt8] = [0, 0, 0, 3, NALUnitType.aud.rawValue << 1, 1, 0x50]
    let sample = delimiter + Handmade.picture(type, temporalID: temporalID)
    #expect(PictureRole(hevc: sample.span, lengthSize: 4) == role)
  }

  @Test(
    arguments: [
      (0x65, false, PictureRole(.randomAccess)), (0x41, false, PictureRole(.trailing)),
      (0x01, false, PictureRole(.trailing, isReference: false)),
      (0x41, true, PictureRole(.randomAccess)),
    ] as [(UInt8, Bool, PictureRole)])
  func `it reads AVC`(first: UInt8, isSync: Bool, role: PictureRole) {
    let sample: [UInt8] = [0, 2, 0x09, 0xf0, 0, 3, first, 0x88, 0x84]
    #expect(PictureRole(avc: sample.span, lengthSize: 2, isSync: isSync) == role)
  }

  @Test(arguments: [
    [], [0, 0, 0], [0, 0, 0, 9, 2], [0, 0, 0, 1, 2], [255, 255, 255, 255, 2, 1],
  ])
  func `it finds none in what is broken`(sample: [UInt8]) {
    #expect(PictureRole(hevc: sample.span, lengthSize: 4) == nil)
  }
}
