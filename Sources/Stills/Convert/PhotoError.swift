// SPDX-License-Identifier: MIT

internal import Bytes
internal import Media

/// Why a photo was not converted.
public enum PhotoError: Error, Hashable, Sendable {
  /// The bytes contradict a standard, or end too soon.
  case damaged(PhotoFailure)
  /// The file, or something that it needs, is of a kind that is not known here.
  case unsupported(PhotoFailure)
  /// A library that the photo needs is not installed.
  case missingLibrary(PhotoFailure)
  /// A limit of the options was reached, or there is not enough memory.
  case limit(PhotoFailure)
  /// The input could not be read, or the output not be written.
  case io(PhotoFailure)
  /// What was asked for cannot be.
  case misuse(PhotoFailure)
  /// There is nothing in the file of what was asked for.
  case nothing([String])
  /// The task was cancelled, or the engine stopped; nothing was written.
  case cancelled

  init(_ failure: PhotoFailure) {
    self =
      switch PictureError.Kind(rawValue: failure.kind) {
      case .corrupt, .incomplete: .damaged(failure)
      case .unsupported: .unsupported(failure)
      case .missing: .missingLibrary(failure)
      case .limit, .memory: .limit(failure)
      case .io: .io(failure)
      case .misuse: .misuse(failure)
      case nil: failure.isDamage ? .damaged(failure) : .unsupported(failure)
      }
  }
}

extension PhotoError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .damaged(let failure), .unsupported(let failure), .missingLibrary(let failure),
      .limit(let failure), .io(let failure), .misuse(let failure):
      failure.message
    case .nothing(let reasons):
      reasons.isEmpty ? "there is nothing to convert" : reasons.joined(separator: "; ")
    case .cancelled: "was cancelled"
    }
  }
}
