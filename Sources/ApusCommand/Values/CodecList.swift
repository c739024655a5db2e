// SPDX-License-Identifier: MIT

import ApusTranscode

/// `hevc,h264`.
struct CodecList: ArgumentValue {
  let codecs: [VideoSettings.Codec]

  init?(argument: String) {
    var codecs: [VideoSettings.Codec] = []
    for name in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let codec = VideoSettings.Codec(rawValue: String(name)), !codecs.contains(codec) else {
        return nil
      }
      codecs.append(codec)
    }
    guard !codecs.isEmpty, codecs == [.copy] || !codecs.contains(.copy) else { return nil }
    self.codecs = codecs
  }

  static var expected: String { "hevc, h264, both separated by a comma, or copy" }
  var argument: String { codecs.map(\.rawValue).joined(separator: ",") }
}
