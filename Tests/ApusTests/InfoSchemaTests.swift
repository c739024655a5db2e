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
        The facts of one file. Several files give one object each, on separate lines. Members that are not \
        required are absent if unknown.
        """)
    let path = "\(Fixture.folder)../Sources/ApusCommand/Schemas/info.schema.json"
    if Terminal.environment("APUS_WRITE_SCHEMAS") != nil {
      _ = try bash("printf %s \(text.shellQuoted) > \(path.shellQuoted)")
    }
    let source = try FileSource(path)
    #expect(String(decoding: try source.bytes(in: 0..<source.count), as: UTF8.self) == text)
  }
}
