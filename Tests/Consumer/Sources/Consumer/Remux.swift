// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import ApusContainers

/// The samples of an MP4 as FLV, from memory to memory.
func flv(of movie: [UInt8]) throws -> [UInt8] {
  let input = try MediaInput.open(MemorySource(movie))
  var sink = ArraySink()
  let report = try RemuxJob(input, options: RemuxJob.Options(.flv)).writeAndWait(to: &sink)
  for (track, reason) in report.leftOut { print(track, reason) }
  return sink.bytes
}
// end
