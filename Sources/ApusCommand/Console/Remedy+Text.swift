// SPDX-License-Identifier: MIT

import ApusMedia

extension Remedy {
  /// The advice that follows a message of a verb with these options; `nil` if none of them helps.
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

  /// The advice that follows a message and a semicolon.
  var text: String {
    switch self {
    case .coding: "--encode encodes all inputs alike"
    case .dialect:
      "use --dialect enhanced (hvc1: YouTube, SRS, MediaMTX, FFmpeg since 6.1) or --dialect legacy "
        + "(codec id 12: older servers of Chinese CDNs)"
    case .legacyDialect:
      "--dialect legacy works if the receivers support codec id 12"
    case .frameRate: "use --fps to set another"
    case .item: "use --item to select one"
    case .madeThumbnail: "--policy if-absent makes one"
    case .otherName: "use --name or --on-exists rename"
    case .outside: "--outside allows it"
    case .restart: "start again without --resume"
    case .salvage: "--salvage keeps what can be read"
    case .setsInRecord: "--sets record moves them into the record"
    case .tracks: "use --tracks to select some of them"
    }
  }
}

extension MediaError {
  /// The error with its remedy.
  var text: String { remedy.map { "\(self); \($0.text)" } ?? description }
}
