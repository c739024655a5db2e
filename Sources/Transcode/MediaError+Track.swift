// SPDX-License-Identifier: MIT

internal import Bytes
internal import Media

extension MediaError {
  /// Returns the error as a source reports it, for a track by its name.
  func inside(_ track: String) -> SyntaxError {
    let kind: SyntaxError.Kind =
      switch self.kind {
      case .unsupported, .missing, .nothing, .cancelled, .crash: .unsupported
      case .invalid, .corrupt: .invalid
      case .truncated, .incomplete: .truncated
      case .limit, .memory: .limit
      case .io: .io
      case .misuse: .misuse
      }
    return SyntaxError(kind, field: track, detail: description)
  }
}
