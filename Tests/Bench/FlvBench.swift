// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import FLV

/// Walking over the tags of a file, and over their packets.
func benchFlv(path: String) throws {
  let file = try FileSource(path)
  let memory = MemorySource(try file.bytes(in: 0..<file.count))
  for (name, source) in [("from the file", file as any ByteSource), ("in memory", memory)] {
    var tags = 0
    let walk = try median(runs: 5) {
      tags = 0
      var reader = try TagReader(source)
      while try reader.nextTag() != nil { tags += 1 }
    }
    report("walk over \(tags) tags, \(name)", Double(tags) / walk / 1e6, "M tags/s")
    var packets = 0
    let look = try median(runs: 5) {
      packets = 0
      var reader = try TagReader(source)
      while let tag = try reader.nextTag() { packets += try reader.packets(of: tag).count }
    }
    report("look at \(packets) packets, \(name)", Double(packets) / look / 1e6, "M tags/s")
  }
}
