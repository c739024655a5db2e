// SPDX-License-Identifier: MIT

import Bytes
import Files
import LibHEIF

/// A failure with a status of its own.
struct DropInFailure: Error, CustomStringConvertible {
  var status: Int32
  var description: String

  /// Opens what `heif-dec` and `heif-info` read, which end with 10 since libheif 1.19 where it is not there.
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
