// SPDX-License-Identifier: MIT

internal import CFFmpeg
internal import Media
internal import Synchronization

/// The functions of libavcodec and libavutil, opened once for the process.
struct LibAV: @unchecked Sendable {
  // A table of pointers into code, never changed after it is filled.
  let call: apus_ffmpeg

  /// Kept once it is there: what keeps it away, such as memory that is short, may pass.
  private static let loaded = Mutex<LibAV?>(nil)

  /// Some 150 libraries come along, and cost more memory than a photo does: while they are opened is when a program
  /// takes most, so what it touched to start with goes before, and what the dynamic linker touched after.
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

  /// The library's own words for an error code.
  func text(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    _ = unsafe call.av_strerror?(code, &buffer, buffer.count)
    return Self.string(buffer)
  }
}
