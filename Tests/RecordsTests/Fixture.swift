// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusRecords
import ISOBMFF

/// A file of `Fixtures`.
enum Fixture {
  private static let folder =
    #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Fixtures/"

  static func source(_ name: String) throws -> any ByteSource { try FileSource(folder + name) }

  static func tree(_ name: String) throws -> BoxTree { try BoxTree(reading: source(name)) }

  static func records(_ name: String) throws -> [FoundRecord] {
    RecordFinder.records(in: try tree(name)).records
  }
}
