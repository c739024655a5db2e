// SPDX-License-Identifier: MIT

import ApusStills
import Testing

@testable import ApusCommand

struct ProgressBarTests {
  private func tally(_ statuses: [PhotoReport.Status]) -> BatchTally {
    var tally = BatchTally()
    for status in statuses {
      var report = PhotoReport(input: "x")
      report.status = status
      report.bytesIn = 1_000_000
      tally.add(report)
    }
    return tally
  }

  @Test(arguments: [20, 40, 60, 80, 200])
  func `it fits the terminal`(_ width: Int) {
    for total in [nil, 0, 4, 1_000_000] {
      let line = ProgressBar(total: total, width: width).line(
        tally([.converted, .failed, .converted]))
      #expect(line.count < width)
    }
  }

  @Test func `it says how far it is`() {
    let line = ProgressBar(total: 4, width: 100).line(tally([.converted, .failed, .converted]))
    #expect(line.contains("] 3/4  "))
    #expect(line.contains(" files/s, "))
    #expect(line.contains(" left"))
    #expect(line.hasSuffix("1 failed"))
    // Three quarters of 30 cells.
    #expect(line.hasPrefix("[######################........] "))
    #expect(!ProgressBar(total: nil, width: 100).line(tally([.converted])).contains("left"))
  }

  @Test(arguments: [
    ([], 3), ([PhotoReport.Status.skipped], 3),
    ([.converted, .skipped], 0), ([.converted, .failed], 1),
    ([.converted, .salvaged], 1),
  ])
  func `it tells how a run ends`(_ statuses: [PhotoReport.Status], _ status: Int) {
    #expect(Int(ExitStatus(tally(statuses)).rawValue) == status)
  }

  @Test func `it draws a few times a second`() {
    var bar = ProgressBar(total: 4, width: 80)
    let tally = tally([.converted])
    let drawings = (0..<1000).count { _ in bar.drawing(tally) != nil }
    #expect(drawings == 1)
    #expect(bar.clearing() == "\r\u{1b}[K")
    #expect(bar.clearing().isEmpty)
  }
}
