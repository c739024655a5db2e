// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import TestSupport
import Testing

@testable import ApusCommand

@Suite struct OverviewJSONTests {
  @Test(arguments: ["photo.heic", "gain-map-tmap.heic", "hvc1.mp4", "malformed/stsz-count.mp4"])
  func `it is what apus info prints`(name: String) throws {
    let overview = try Overview(of: MemorySource(TestSupport.Fixture.bytes(name)))
    #expect(overview.json(file: name) == InfoAnswer(file: name, overview: overview).json)
  }
}
