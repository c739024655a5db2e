// SPDX-License-Identifier: MIT

internal import CFFmpeg
internal import Media
internal import Synchronization

/// The functions of libavcodec and libavutil, opened once for the process.
struct LibAV: @unchecked Sendable {
  // A table of function pointers, never changed after it is filled.
  let call: apus_ffmpeg

  /// Cached on success only; a failure such as running out of memory may be temporary.
  private static let loaded = Mutex<LibAV?>(nil)

  /// Opens the libraries. The program uses most memory while it does, because some 150 libraries are opened, which need
  /// more than a photo; so memory is released before and after.
  static func load() throws(MediaError) -> LibAV {
    try loaded.withLock { loaded throws(MediaError) in
      if let loaded { return loaded }
      CodeMemory.release()
      defer { CodeMemory.release() }
      var table = apus_ffmpeg()
      if let reason = unsafe apus_ffmpeg_load(&table) {
        throw MediaError(
          .missing,
          unsafe "cannot be decoded without libavcodec (\(String(cString: reason))), which Debian "
            + "has as libavcodec\(LIBAVCODEC_VERSION_MAJOR)")
      }
      let library = LibAV(call: table)
      LibraryLog.attach(library)
      loaded = library
      return library
    }
  }

  /// Returns the library's text for an error code.
  func text(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    _ = unsafe call.av_strerror?(code, &buffer, buffer.count)
    return Self.string(buffer)
  }
}
