// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusFiles
public import ISOBMFF

/// A file of `Fixtures`.
public enum Fixture {
  public static let folder =
    #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Fixtures/"

  public static func source(_ name: String) throws -> any ByteSource {
    try FileSource(folder + name)
  }

  public static func bytes(_ name: String) throws -> [UInt8] {
    let source = try source(name)
    return try source.bytes(in: 0..<source.count)
  }

  public static func tree(_ name: String) throws -> BoxTree {
    try BoxTree(reading: source(name))
  }
}
