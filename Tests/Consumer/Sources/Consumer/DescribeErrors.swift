// SPDX-License-Identifier: MIT

// begin
import ApusFoundation
import ApusStills
import Foundation

/// What a log of Foundation shows about a photo that cannot be converted.
func failure(of photo: [UInt8]) async -> String? {
  do {
    _ = try await engine.convert(photo)
    return nil
  } catch {
    return error.localizedDescription
  }
}
// end
