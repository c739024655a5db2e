// SPDX-License-Identifier: MIT

import ApusIntra
import Glibc
import TestSupport
import Testing

/// What of the standard the written pictures hit, as the decoder itself counts it.
@Suite struct CoverageTests {
  /// COVERAGE.md holds the table; with `APUS_COVERAGE` set it is printed.
  @Test
  func `every tool is met by a written picture, and the document says which`() throws {
    var met: [String: (count: Int, rows: [String])] = [:]
    for row in WriterRow.all {
      var writer = try PictureWriter(row.options, seed: 0)
      let decoder = IntraDecoder()
      _ = try DecodedPlanes(writer.picture(), by: decoder)
      for tool in ToolUsage.all where decoder.usage[keyPath: tool.count] > 0 {
        met[tool.name, default: (0, [])].count += decoder.usage[keyPath: tool.count]
        met[tool.name, default: (0, [])].rows.append(row.name)
      }
    }
    let lines = ToolUsage.all.map { tool in
      let (count, rows) = met[tool.name] ?? (0, [])
      let shown = rows.prefix(3).joined(separator: "; ") + (rows.count > 3 ? "; …" : "")
      return "| \(tool.name) | \(count) | \(rows.count) | \(shown) |"
    }
    if unsafe getenv("APUS_COVERAGE") != nil { print(lines.joined(separator: "\n")) }
    for tool in ToolUsage.all { #expect(met[tool.name] != nil, "nothing meets \(tool.name)") }
    let document = String(
      decoding: try Fixture.bytes("../Tests/IntraTests/COVERAGE.md"), as: UTF8.self)
    for line in lines { #expect(document.contains(line), "COVERAGE.md lacks \(line)") }
  }
}
