// SPDX-License-Identifier: MIT

// begin
import ApusStills

/// One for the whole process: tasks share its workers, and these keep their decoders.
let engine = PhotoEngine(ConvertOptions(), workers: 4)

func jpeg(of heic: [UInt8]) async throws -> [UInt8] {
  try await engine.convert(heic) { progress in
    print("pass \(progress.pass): \(Int(progress.fraction * 100)) %")
  }.bytes
}
// end
