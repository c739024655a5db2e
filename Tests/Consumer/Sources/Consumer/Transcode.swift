// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import ApusContainers
import ApusMedia
import ApusTranscode
import Synchronization

/// Re-encodes a movie with every second picture, and returns the number of bytes.
func halve(_ movie: [UInt8], to path: String) async throws -> Int {
  var options = TranscodeJob.Options(.mp4)
  let count = Atomic(0)
  options.step = { frame throws(MediaError) in
    count.add(1, ordering: .relaxed).newValue % 2 == 1 ? frame : nil
  }
  let job = try TranscodeJob(MediaInput.open(MemorySource(movie)), options: options)
  var size = 0
  for try await event in job.events(ofWritingTo: path) {
    switch event {
    case .progress(let progress): print(progress.frames, "pictures")
    case .written(_, _, let bytes): size = bytes
    case .exists: print("\(path) exists, and was kept")
    }
  }
  return size
}
// end
