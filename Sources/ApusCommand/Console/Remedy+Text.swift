// SPDX-License-Identifier: MIT

import Media

extension Remedy {
  /// The end of a message of a verb that has these options, after a semicolon; `nil` if none of them helps.
  func text(with options: Set<String>) -> String? {
    if options.contains(option) { return text }
    // The same by another name, where samples are copied rather than decoded.
    return self == .salvage && options.contains("--recover")
      ? "--recover keeps what can be read" : nil
  }

  /// The long option that follows the advice.
  var option: String {
    switch self {
    case .coding: "--encode"
    case .dialect, .legacyDialect: "--dialect"
    case .frameRate: "--fps"
    case .item: "--item"
    case .madeThumbnail: "--policy"
    case .otherName: "--name"
    case .outside: "--outside"
    case .restart: "--resume"
    case .salvage: "--salvage"
    case .setsInRecord: "--sets"
    case .tracks: "--tracks"
    }
  }

  /// What follows a message, after a semicolon.
  var text: String {
    switch self {
    case .coding: "--encode codes all inputs in one way"
    case .dialect:
      "choose --dialect enhanced (hvc1: YouTube, SRS, MediaMTX, FFmpeg since 6.1) or --dialect legacy "
        + "(codec id 12: older servers of Chinese networks)"
    case .legacyDialect:
      "--dialect legacy gets through it, to receivers that know codec id 12"
    case .frameRate: "--fps sets another"
    case .item: "--item names one"
    case .madeThumbnail: "--policy if-absent makes one"
    case .otherName: "--name or --on-exists rename tells them apart"
    case .outside: "--outside reads it"
    case .restart: "start anew without --resume"
    case .salvage: "--salvage keeps what can be read"
    case .setsInRecord: "--sets record moves them into the record"
    case .tracks: "--tracks chooses some of them"
    }
  }
}

extension MediaError {
  /// The error with what can be done about it.
  var text: String { remedy.map { "\(self); \($0.text)" } ?? description }
}
