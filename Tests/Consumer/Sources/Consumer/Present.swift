// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import ApusContainers
import ApusFiles
import ApusPresentations

/// Writes a movie for HTTP Live Streaming: the playlist, and the folder of its segments next to it.
func present(_ movie: [UInt8], at path: String) throws -> String? {
  let job = try HLSJob([MediaInput.open(MemorySource(movie))])
  guard let folder = try PresentationFolder.begin(path, .skip, InputFiles()) else { return nil }
  let report = try job.write(to: PresentationFolder(folder))
  return try folder.commit { report.playlist(prefix: $0 + "/").text }
}
// end
