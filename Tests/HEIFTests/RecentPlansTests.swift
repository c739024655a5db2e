// SPDX-License-Identifier: MIT

import Testing

@testable import HEIF

@Suite struct RecentPlansTests {
  @Test
  func `it keeps the two plans that were asked for last`() {
    let plans = RecentPlans()
    plans.add(PicturePlan(width: 1, height: 1), ofItem: 1)
    plans.add(PicturePlan(width: 2, height: 2), ofItem: 2)
    #expect(plans.plan(ofItem: 1)?.width == 1)
    plans.add(PicturePlan(width: 3, height: 3), ofItem: 3)
    #expect(plans.plan(ofItem: 1)?.width == 1)
    #expect(plans.plan(ofItem: 2) == nil)
    #expect(plans.plan(ofItem: 3)?.width == 3)
  }
}
