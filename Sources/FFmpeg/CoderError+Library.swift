// SPDX-License-Identifier: MIT

internal import CFFmpeg
internal import Media

extension CoderError {
  static func noMemory(_ thing: String) -> CoderError {
    CoderError(.memory, "there is no memory for \(thing)")
  }
}

extension LibAV {
  /// Loads the library for coders of moving pictures and sound.
  static func forCoders() throws(CoderError) -> LibAV {
    do throws(PictureError) {
      return try load()
    } catch {
      throw CoderError(error)
    }
  }
}
