// SPDX-License-Identifier: MIT

import Bytes
import Files
import Testing

@testable import ApusCommand

struct InfoSchemaTests {
  /// `APUS_WRITE_SCHEMAS=1` in the environment writes the file instead.
  @Test func `it is what the declarations say`() throws {
    let text = FactSchema<InfoAnswer>.text(
      description: """
        What one file is. With several files one such object follows the other, each on a line of its own. \
        Members that are not required are left out where nothing is known.
        """)
    let path = "\(Fixture.folder)../Sources/ApusCommand/Schemas/info.schema.json"
    if Terminal.environment("APUS_WRITE_SCHEMAS") != nil {
      _ = try bash("printf %s \(text.shellQuoted) > \(path.shellQuoted)")
    }
    let source = try FileSource(path)
    #expect(String(decoding: try source.bytes(in: 0..<source.count), as: UTF8.self) == text)
  }
}
