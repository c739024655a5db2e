// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import ApusContainers
import ApusPresentations

/// Writes a movie for HTTP Live Streaming: the playlist, and the folder of its segments next to it.
func present(_ movie: [UInt8], at path: String) async throws -> String? {
  try await HLSJob([MediaInput.open(MemorySource(movie))]).write(to: path)?.path
}
// end
