// SPDX-License-Identifier: MIT

internal import CFFmpeg
internal import Media
internal import Synchronization

/// The functions of libavformat, opened once for the process.
struct LibAVFormat: @unchecked Sendable {
  // A table of function pointers, never changed after it is filled.
  let call: apus_avformat
  /// The libraries on which it depends, opened before it.
  let codecs: LibAV

  private static let loaded = Mutex<LibAVFormat?>(nil)

  static func load() throws(MediaError) -> LibAVFormat {
    try loaded.withLock { loaded throws(MediaError) in
      if let loaded { return loaded }
      let codecs: LibAV
      codecs = try LibAV.load()
      defer { CodeMemory.release() }
      var table = apus_avformat()
      if let reason = unsafe apus_avformat_load(&table) {
        throw MediaError(
          .missing,
          unsafe "needs libavformat (\(String(cString: reason))), which Debian "
            + "has as libavformat\(LIBAVFORMAT_VERSION_MAJOR)")
      }
      let library = LibAVFormat(call: table, codecs: codecs)
      loaded = library
      return library
    }
  }

  /// The containers that are read through it; none of them opens another file. Pictures, playlists, devices and
  /// descriptions of other files are excluded.
  static let containers: Set<String> = [
    "3dostr", "aac", "ac3", "aiff", "amr", "ape", "asf", "au", "avi", "avs2", "avs3", "caf",
    "dirac",
    "dnxhd", "dts", "dtshd", "dv", "eac3", "flac", "flv", "gxf", "h263", "h264", "hevc", "ipmovie",
    "ivf", "loas", "lvf", "m4v", "matroska,webm", "mjpeg", "mlp", "mov,mp4,m4a,3gp,3g2,mj2", "mp3",
    "mpc", "mpc8", "mpeg", "mpegts", "mpegvideo", "mxf", "nsv", "nut", "obu", "ogg", "pva", "rm",
    "swf", "tak", "truehd", "tta", "vc1", "vc1test", "voc", "w64", "wav", "wtv", "wv", "xwma",
    "yuv4mpegpipe",
  ]
}
