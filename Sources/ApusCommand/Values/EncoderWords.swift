// SPDX-License-Identifier: MIT

import ApusTranscode

/// `aq-mode=3:no-sao`, as for x265 and x264.
struct EncoderWords: ArgumentValue {
  let parameters: [VideoSettings.Parameter]

  init?(argument: String) {
    var parameters: [VideoSettings.Parameter] = []
    for part in argument.split(separator: ":", omittingEmptySubsequences: false) {
      let name = part.prefix { $0 != "=" }
      guard !name.isEmpty else { return nil }
      let value = part == name ? "1" : String(part.dropFirst(name.count + 1))
      parameters.append(.init(String(name), value))
    }
    self.parameters = parameters
  }

  static var expected: String { "names and values, such as aq-mode=3:no-sao=1" }
  var argument: String { parameters.map { "\($0.name)=\($0.value)" }.joined(separator: ":") }
}
