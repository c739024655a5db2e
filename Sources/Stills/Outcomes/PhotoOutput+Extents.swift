// SPDX-License-Identifier: MIT

internal import Bytes
internal import Media

extension PhotoOutput {
  /// Writes stretches of an input as they are, piece by piece.
  func write(_ extents: [Extent]) throws(Refusal) {
    var failure: PictureError?
    for extent in extents where failure == nil {
      try reading { () throws(SyntaxError) in
        try extent.forEachPiece { piece in
          guard failure == nil else { return }
          do throws(PictureError) { try write(piece) } catch { failure = error }
        }
      }
    }
    if let failure { throw Refusal(failure) }
  }
}
