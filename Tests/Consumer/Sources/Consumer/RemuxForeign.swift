// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import ApusContainers
import ApusForeign

/// Copies the samples of any container that libavformat reads into Matroska.
func matroska(of movie: [UInt8], to path: String) async throws -> Int? {
  var opening = MediaInput.Options()
  opening.openers = [ForeignOpener()]
  var options = RemuxJob.Options(.mkv)
  options.muxers = ForeignMuxerMaker()
  let input = try MediaInput.open(MemorySource(movie), options: opening)
  return try await RemuxJob(input, options: options).write(to: path)?.count
}
// end
