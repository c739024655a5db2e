// SPDX-License-Identifier: MIT

internal import ApusLoader
internal import ApusMedia
internal import CApusFFmpeg

/// The functions of libavformat.
struct LibAVFormat: Sendable {
  let call: apus_avformat
  /// The library it is built on, opened before it.
  let codecs: LibAV

  private static let library = unsafe DynamicLibrary<apus_avformat>(
    "libavformat.so.\(LIBAVFORMAT_VERSION_MAJOR)", String(cString: apus_avformat_names))

  static func load() throws(MediaError) -> LibAVFormat {
    let codecs = try LibAV.load()
    do throws(LibraryError) {
      let call = try library.table(after: {
        // libsrt prints to standard error; what fails is an error of the call.
        $0.srt_setloglevel?(2)
        CodeMemory.release()
      })
      return LibAVFormat(call: call, codecs: codecs)
    } catch {
      throw MediaError(
        .missing,
        "needs libavformat (\(error.reason)), which Debian has as "
          + "libavformat\(LIBAVFORMAT_VERSION_MAJOR)")
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
