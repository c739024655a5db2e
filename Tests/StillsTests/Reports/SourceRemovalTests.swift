// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import TestSupport
import Testing

@testable import ApusStills

struct SourceRemovalTests {
  private static let depth = SourceRemoval.Reason.holds(SourceHolding(.depth))

  /// A reason, and whether it keeps a source that is to be removed anyway.
  @Test(
    arguments: [
      (depth, false), (.warned(1), false), (.notConverted(.salvaged), true),
      (.notConverted(.failed), true), (.notConverted(.skipped), true),
      (.outputExisted("a.jpg"), true), (.finishedBefore, true), (.link("l"), true),
      (.notRegular, true), (.changed, true), (.failed("no"), true),
    ])
  func `it goes past what is lost where that was asked for, and past nothing else`(
    _ reason: SourceRemoval.Reason, _ keepsAnyway: Bool
  ) {
    #expect(SourceRemoval(.whole, [reason]) == SourceRemoval(isRemoved: false, reasons: [reason]))
    #expect(
      SourceRemoval(.anyway, [reason]) == SourceRemoval(isRemoved: !keepsAnyway, reasons: [reason]))
    #expect(SourceRemoval(.anyway, [Self.depth, reason]).isRemoved == !keepsAnyway)
  }

  @Test
  func `it removes a source against which nothing speaks`() {
    #expect(SourceRemoval(.whole, []) == SourceRemoval(isRemoved: true))
    #expect(SourceRemoval(.anyway, []) == SourceRemoval(isRemoved: true))
  }

  private static func report(_ status: PhotoReport.Status) -> PhotoReport {
    var report = PhotoReport(input: "a")
    report.status = status
    report.outputs = [
      PhotoReport.Output(path: "a.jpg", role: .primary, width: 1, height: 1, bytes: 1)
    ]
    return report
  }

  @Test
  func `it finds reasons in what became of the photo`() {
    #expect(Self.report(.converted).reasonsToKeepSource.isEmpty)
    for status in [PhotoReport.Status.failed, .salvaged, .skipped] {
      #expect(Self.report(status).reasonsToKeepSource == [.notConverted(status)])
    }
    var report = Self.report(.converted)
    report.existing = ["a.2.jpg"]
    #expect(report.reasonsToKeepSource == [.outputExisted("a.2.jpg")])
    report.existing = []
    report.losses = [SourceHolding(.depth)]
    report.warnings = ["something", "something else"]
    #expect(report.reasonsToKeepSource == [Self.depth, .warned(2)])
    report.losses = []
    report.isCopied = true
    #expect(report.reasonsToKeepSource.isEmpty)
    report.outputs = []
    #expect(report.reasonsToKeepSource == [.notConverted(.converted)])
  }

  @Test
  func `it removes the file that was converted, and none that was written to, linked or lost`()
    throws
  {
    let folder = try TestFolder()
    func path(_ name: String) -> String { "\(folder.path)/\(name)" }
    try folder.run(
      "echo x > a; echo x > b; ln -s a link; mkdir in; echo x > in/c; ln -s in through")
    var report = Self.report(.converted)
    report.outputs[0].path = path("out.jpg")
    func removal(_ name: String, _ file: FileIdentity?) -> SourceRemoval {
      SourceFile(path(name), file).remove(.anyway, after: report)
    }
    let rows: [(String, SourceRemoval.Reason)] = [
      ("link", .link(path("link"))), ("through/c", .link(path("through"))), ("in", .notRegular),
      ("gone", .notRegular),
    ]
    for (name, reason) in rows {
      let found = removal(name, FileIdentity(path(name)))
      #expect(found == SourceRemoval(isRemoved: false, reasons: [reason]), "\(name)")
    }
    let before = FileIdentity(path("b"))
    try folder.run("echo more >> b")
    #expect(removal("b", before) == SourceRemoval(isRemoved: false, reasons: [.changed]))
    for name in ["a", "b", "in/c"] { #expect(FileSystem.exists(path(name)), "\(name)") }
    #expect(removal("a", FileIdentity(path("a"))) == SourceRemoval(isRemoved: true))
    #expect(!FileSystem.exists(path("a")))
    #expect(FileSystem.status(path("link"), followsLinks: false) != nil)
  }
}
