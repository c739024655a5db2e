// SPDX-License-Identifier: MIT

import Files
import Stills
import Synchronization

/// One photo of a run, from its name to its report.
final class ConvertItem: Sendable {
  let name: InputName
  /// The file as it was when its turn came; `nil` where there was none.
  let file: FileIdentity?
  /// What an export does with it; `nil` for what is converted.
  let decision: ExportDecision?
  /// The video that goes beside its output.
  private let found = Mutex<LiveVideo?>(nil)
  private let skips = Mutex<[String]>([])

  init(_ name: InputName, _ decision: ExportDecision? = nil) {
    self.name = name
    self.decision = decision
    file = FileIdentity(name.path == "-" ? "/dev/stdin" : name.path)
  }

  /// Outputs that were there already and stayed.
  var skipped: [String] { skips.withLock { $0 } }

  /// What its output ends with, where that is not what outputs of the run do.
  var pathExtension: String? { decision?.pathExtension }

  /// Whether its bytes are copied.
  var isCopied: Bool { if case .copy = decision?.action { true } else { false } }

  var video: LiveVideo? {
    get { found.withLock { $0 } }
    set { found.withLock { $0 = newValue } }
  }

  func skip(_ output: String) { skips.withLock { $0.append(output) } }
}
