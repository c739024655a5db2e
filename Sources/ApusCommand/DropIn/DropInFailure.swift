// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusLibHEIF

/// A failure with its own exit status.
struct DropInFailure: Error, CustomStringConvertible {
  var status: Int32
  var description: String

  /// Opens the input of `heif-dec`, which ends with 10 since libheif 1.19 if there is no such file.
  static func input(_ path: String) throws -> any ByteSource {
    do {
      return try openInput(path, limit: Limits().pipe)
    } catch {
      guard !FileSystem.exists(path), LibHEIFVersion.here >= LibHEIFVersion(1, 19) else {
        throw error
      }
      throw DropInFailure(status: 10, description: "\(error)")
    }
  }
}
