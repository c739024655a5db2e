// SPDX-License-Identifier: MIT

import Files
import Synchronization

/// One photo of a run, from its name to its report.
final class ConvertItem: Sendable {
  let name: InputName
  /// The file as it was when its turn came; `nil` where there was none.
  let file: FileIdentity?
  private let skips = Mutex<[String]>([])

  init(_ name: InputName) {
    self.name = name
    file = FileIdentity(name.path == "-" ? "/dev/stdin" : name.path)
  }

  /// Outputs that were there already and stayed.
  var skipped: [String] { skips.withLock { $0 } }

  func skip(_ output: String) { skips.withLock { $0.append(output) } }
}
