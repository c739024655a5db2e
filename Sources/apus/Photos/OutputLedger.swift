// SPDX-License-Identifier: MIT

import Files
import Stills
import Synchronization

/// Knows which outputs a run has begun, for all who convert its photos.
protocol OutputLedger: Sendable {
  /// Which photo has an output: the first that asks.
  func claim(_ path: String, for photo: String) -> OutputClaims.Claim
  /// A file is whole and is about to be given the name of an output, or another one beside it.
  func finished(_ path: String, _ file: FileIdentity, of photo: String)
  /// An output stands under a name, the one that was asked for or another.
  func made(_ path: String, as final: String, of photo: String)
  /// A file is being written that is nothing until it has another name.
  func begun(_ path: String, of photo: String)
}

extension ConvertSettings {
  /// Whether a run reads a file that lies in a folder. A picture that it takes for no photo may be the output of a run
  /// before; a movie may be the video of a photo.
  fileprivate func reads(_ path: String) -> Bool {
    kinds.contains(path) || options.live != nil && OutputFormat(extensionOf: path) == nil
  }
}

/// The ledger of a run whose photos are converted by this process.
final class OwnLedger: OutputLedger {
  private let claims = Mutex(OutputClaims())
  /// The photos, as far as outputs of these names would not be passed over in any case.
  private let inputs: InputFiles?

  init(_ settings: ConvertSettings) {
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

  // What this process has begun it ends itself.
  func finished(_ path: String, _ file: FileIdentity, of photo: String) {}
  func made(_ path: String, as final: String, of photo: String) {}
  func begun(_ path: String, of photo: String) {}
}
