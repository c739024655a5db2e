// SPDX-License-Identifier: MIT

internal import ApusMedia

/// The check of descriptions, which may come in job files from elsewhere, so graphs must not open anything: no file, no
/// device, no network.
extension FilterDescription {
  func checkTouchesNothing() throws(MediaError) {
    for filter in filters {
      if Self.refused.contains(filter.name) {
        throw MediaError(
          .misuse, "the filter \(filter.name) is refused: it opens files, devices or connections")
      }
      guard let options = Self.refusedOptions[filter.name],
        let option = filter.firstOption(of: options)
      else { continue }
      throw MediaError(
        .misuse,
        "the option \(option) of the filter \(filter.name) is refused: it opens a file; "
          + "write every option of this filter with its name")
    }
  }

  private static let refused: Set<String> = [
    "abuffer", "abuffersink", "afireqsrc", "amovie", "arnndn", "asendcmd", "asr", "ass", "azmq",
    "buffer", "buffersink", "cellauto", "coreimage", "coreimagesrc", "cover_rect", "ddagrab",
    "derain", "dnn_classify", "dnn_detect", "dnn_processing", "drawvg", "fieldhint", "find_rect",
    "flite", "frei0r", "frei0r_src", "fsync", "gfxcapture", "hwmap", "hwupload", "hwupload_cuda",
    "ladspa", "lensfun", "libplacebo", "libvmaf", "libvmaf_cuda", "life", "lut1d", "lut3d", "lv2",
    "movie", "nnedi", "ocr", "ocv", "openclsrc", "program_opencl", "qrencode", "qrencodesrc",
    "removelogo", "sendcmd", "signature", "sofalizer", "sr", "subtitles", "vidstabdetect",
    "vidstabtransform", "vmafmotion", "whisper", "xfade_opencl", "zmq",
  ]

  /// Refused options of filters that are useful without them. They are only recognized by name.
  private static let refusedOptions: [String: [String]] = [
    "ametadata": ["file"], "curves": ["psfile", "plot"], "deshake": ["filename"],
    "drawtext": ["fontfile", "textfile"], "firequalizer": ["dumpfile"], "loudnorm": ["stats_file"],
    "metadata": ["file"], "paletteuse": ["debug_kdtree"], "psnr": ["stats_file", "f"],
    "selectivecolor": ["psfile"], "showcqt": ["fontfile", "axisfile"],
    "ssim": ["stats_file", "f"], "ssim360": ["stats_file", "f"], "xpsnr": ["stats_file", "f"],
  ]
}

extension FilterDescription.Filter {
  /// Returns the first part of the options that is one of these, or that gives a value without naming its option; the
  /// very first may do that, because it is seldom a file: `curves=vintage`.
  fileprivate func firstOption(of names: [String]) -> String? {
    let hasFileFirst = ["psnr", "ssim", "ssim360", "xpsnr", "drawtext"].contains(name)
    for (index, part) in options.split(separator: ":").enumerated() {
      let name = part.prefix { $0 != "=" }.drop { $0 == " " }
      let isNamed =
        name.count < part.count
        && name.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
          default: byte == UInt8(ascii: " ")
          }
        }
      let trimmed = name.filter { $0 != " " }
      if names.contains(String(trimmed)) { return String(trimmed) }
      if !isNamed, index > 0 || hasFileFirst { return String(part) }
    }
    return nil
  }
}
