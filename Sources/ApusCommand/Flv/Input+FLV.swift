// SPDX-License-Identifier: MIT

import ApusMedia
import ISOBMFF

extension Input {
  /// Throws `OtherKind` if the file is not an FLV file.
  func checkFLV() throws {
    let kind = try FileKind(of: source)
    guard kind == .flv else { throw OtherKind.noFLV(name, kind) }
  }
}
