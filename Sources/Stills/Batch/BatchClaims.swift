// SPDX-License-Identifier: MIT

internal import Files
internal import Synchronization

/// Which item of a batch has which output, and which files are no outputs because the batch reads them.
final class BatchClaims: Sendable {
  private let claims: Mutex<OutputClaims>
  /// The photos, as far as outputs of these names would not be passed over in any case.
  private let inputs: InputFiles?

  /// - Parameter mayWrite: whether anything may be written, if only for a moment.
  init(_ settings: BatchSettings, mayWrite: Bool) {
    claims = Mutex(OutputClaims(mayWrite: mayWrite))
    let isNamed = if case .file = settings.target.place { true } else { false }
    let replaces = settings.onExists == .replace
    inputs =
      isNamed || replaces
      ? InputNames.files(
        settings.inputs, all: replaces, except: settings.target.folder, where: settings.reads)
      : nil
    for path in settings.documents { inputs?.add(path) }
  }

  func claim(_ path: String, for photo: String) -> OutputClaims.Claim {
    if inputs?.contains(path) == true { return .input }
    return claims.withLock { $0.claim(path, for: photo) }
  }
}
