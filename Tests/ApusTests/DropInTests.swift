// SPDX-License-Identifier: MIT

import ApusLibHEIF
import Testing

@testable import ApusCommand

@Suite struct DropInTests {
  /// As `heif-convert` of libheif 1.15.1 and `heif-dec` of 1.23.6 call the files, but for the slash before.
  @Test(arguments: [
    ("urn:a:+=@~()[]{}|<>", false, "urn:a:+=@~()[]{}|<>", "urn_a_+=@~()[]{}___"),
    ("urn:a:+=@~()[]{}|<>", true, "urn_a_+=@~()[]{}|<>", "urn_a_+=@~()[]{}___"),
    (#"a"'\*?!$&`,^#"#, true, #"a"'\*?!$&`,^#"#, "a_'___!$&`,^#"),
    ("urn:a/x:u .-%d;ä", false, "urn:a_x:u .-%d;ä", "urn_a_x_u .-%d;ä"),
  ])
  func `it calls auxiliary pictures as libheif does`(
    _ type: String, _ hasNoColons: Bool, _ old: String, _ new: String
  ) {
    let names = [LibHEIFVersion(1, 15, 1), LibHEIFVersion(1, 23, 6)].map {
      ConvertedNames.auxiliary(type, hasNoColons: hasNoColons, as: $0)
    }
    #expect(names == [old, new])
  }

  @Test
  func `it knows a version of libheif`() {
    #expect(LibHEIFVersion.here >= LibHEIFVersion(1, 15))
    #expect(LibHEIFVersion.here < LibHEIFVersion(2, 0))
    #expect(LibHEIFVersion(1, 9, 200) < LibHEIFVersion(1, 10))
  }

  @Test
  func `it ends with the status of libheif where the input is not there`() {
    let error = #expect(throws: (any Error).self) { try DropInFailure.input("/absent/x.heic") }
    let status = (error as? DropInFailure)?.status
    #expect(status == (LibHEIFVersion.here < LibHEIFVersion(1, 19) ? nil : 10))
  }
}
