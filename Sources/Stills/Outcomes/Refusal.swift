// SPDX-License-Identifier: MIT

internal import Bytes
internal import Media

/// Why a photo is not converted.
struct Refusal: Error {
  var failure: PhotoFailure

  /// Somebody ended the work.
  static let stopped = Refusal(.misuse, "was stopped")

  init(_ failure: PhotoFailure) { self.failure = failure }

  init(_ error: SyntaxError) {
    failure = PhotoFailure(
      kind: error.kind.rawValue, path: error.path, offset: error.offset, message: error.description)
  }

  /// - Parameters:
  ///   - source: what was worked on: `tile 5 (item 12)`.
  ///   - bytes: where it lies in the file.
  init(_ error: PictureError, _ source: String = "", bytes: Range<Int>? = nil) {
    var message = error.message
    if !source.isEmpty {
      let place = bytes.map { ", bytes \($0.lowerBound) to \($0.upperBound)" } ?? ""
      message = "\(source)\(place): \(message)"
    }
    failure = PhotoFailure(
      kind: error.kind.rawValue, path: "", offset: bytes?.lowerBound, message: message)
  }

  /// A gain map that cannot be kept where it must be.
  init(gainMap refusal: Refusal) {
    self = refusal
    failure.message = "the gain map cannot be kept: \(refusal.failure.message)"
  }

  init(_ kind: PictureError.Kind, _ message: String) { self.init(PictureError(kind, message)) }
}

/// Runs what may fail to read the file.
func reading<Value: ~Copyable>(_ body: () throws(SyntaxError) -> Value) throws(Refusal) -> Value {
  do throws(SyntaxError) {
    return try body()
  } catch {
    throw Refusal(error)
  }
}

/// Runs what may fail to decode or write a picture.
func working<Value: ~Copyable>(_ body: () throws(PictureError) -> Value) throws(Refusal) -> Value {
  do throws(PictureError) {
    return try body()
  } catch {
    throw Refusal(error)
  }
}
