// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import ApusContainers
import ApusSamples

/// The number of samples in each track of a movie.
func samples(in movie: [UInt8]) throws -> [Int] {
  var source = try MediaInput.open(MemorySource(movie)).source
  var counts = source.tracks.map { _ in 0 }
  while let event = try source.next() {
    if case .sample(let sample) = event { counts[sample.track] += 1 }
  }
  return counts
}
// end
