// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import ApusStills

/// Makes three sizes of each photo. What is not done in time is canceled; photos that fail are left out, too.
func sizes(of uploads: [[UInt8]], within limit: Duration) async -> [Int: [ConvertedPhoto]] {
  let work = Task {
    await withTaskGroup(of: (Int, [ConvertedPhoto]?).self) { group in
      for (number, upload) in uploads.enumerated() {
        group.addTask {
          let source = MemorySource(upload)
          return (number, try? await engine.convert(source, longestSides: [128, 64, 32]))
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }
  let alarm = Task {
    try await Task.sleep(for: limit)
    work.cancel()
  }
  defer { alarm.cancel() }
  return await work.value
}
// end
