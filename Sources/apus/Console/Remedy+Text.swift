// SPDX-License-Identifier: MIT

import Media

extension Remedy {
  /// The long option that follows the advice.
  var option: String {
    switch self {
    case .dialect, .legacyDialect: "--dialect"
    case .frameRate: "--fps"
    case .gainMapAsISO: "--gain-map"
    case .item: "--item"
    case .madeThumbnail: "--policy"
    case .exifThumbnail: "--thumbnail"
    case .outside: "--outside"
    case .replacement: "--on-exists"
    case .restart: "--resume"
    case .setsInRecord: "--sets"
    }
  }

  /// What follows a message, after a semicolon.
  var text: String {
    switch self {
    case .dialect:
      "choose --dialect enhanced (hvc1: YouTube, SRS, MediaMTX, FFmpeg since 6.1) or --dialect legacy "
        + "(codec id 12: older servers of Chinese networks)"
    case .legacyDialect:
      "--dialect legacy gets through it, to receivers that know codec id 12"
    case .frameRate: "--fps sets another"
    case .gainMapAsISO: "--gain-map iso keeps it"
    case .item: "--item names one"
    case .madeThumbnail: "--policy if-absent makes one"
    case .exifThumbnail: "--thumbnail makes it anew"
    case .outside: "--outside reads it"
    case .replacement: "--on-exists replace|rename writes it"
    case .restart: "start anew without --resume"
    case .setsInRecord: "--sets record moves them into the record"
    }
  }
}

extension MediaError {
  /// The error with what can be done about it.
  var text: String { remedy.map { "\(self); \($0.text)" } ?? description }
}
