// SPDX-License-Identifier: MIT

import Bytes
import ISOBMFF
import Media

extension Input {
  /// Whether it is an FLV file; says so where it is none. One that was found in a folder may be anything.
  func isFLV(_ console: Console) throws -> Bool {
    let kind: FileKind
    do throws(SyntaxError) {
      kind = try FileKind(of: source)
    } catch {
      console.fail(name, error)
      return false
    }
    if kind == .flv { return true }
    let message = "\(name) is \(kind.description), not an FLV file"
    isFound ? console.detail(message) : console.fail(message)
    return false
  }
}
