// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ISOBMFF

/// Opening the tree of a file with a large `stsz`, and walking that table.
func benchInspect(path: String) throws {
  let file = try FileSource(path)
  report(
    "open, from the file", try median { _ = try BoxTree(reading: FileSource(path)) } * 1e3, "ms")
  let memory = MemorySource(try file.bytes(in: 0..<file.count))
  report("open, in memory", try median { _ = try BoxTree(reading: memory) } * 1e3, "ms")

  for (name, source) in [("from the file", file as any ByteSource), ("in memory", memory)] {
    let tree = try BoxTree(reading: source)
    guard let path = BoxPath("moov/trak/mdia/minf/stbl/stsz"),
      let sizes = tree.nodes(at: path).first?.node.box as? SampleSizes
    else { return print("no stsz in \(file.path)") }
    var total: UInt64 = 0
    let time = try median {
      total = 0
      try sizes.entries.scan32 { total &+= UInt64($0) }
    }
    report(
      "scan of \(sizes.sampleCount) sizes, \(name)",
      Double(sizes.entries.extent.count) / time / 1e9, "GB/s")
    print("sum of sizes\t\(total)\tbytes")
  }

  let bytes = memory.bytes
  var sum: UInt64 = 0
  let plain = median { sum = bytes.reduce(0) { $0 &+ UInt64($1) } }
  report("plain sum of the same bytes", Double(bytes.count) / plain / 1e9, "GB/s")
  print("sum of bytes\t\(sum)\tbytes")
}
