// SPDX-License-Identifier: MIT

import ApusTranscode

/// `auto`, or `hevc:2160@12M,h264:540`.
struct LadderList: ArgumentValue {
  let ladder: Ladder

  init(_ ladder: Ladder) { self.ladder = ladder }

  init?(argument: String) {
    guard argument != "auto" else {
      ladder = .standard
      return
    }
    var rungs: [Ladder.Rung] = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let rung = Self.rung(word) else { return nil }
      rungs.append(rung)
    }
    guard !rungs.isEmpty else { return nil }
    ladder = Ladder(rungs)
  }

  private static func rung(_ word: Substring) -> Ladder.Rung? {
    let parts = word.split(separator: "@", omittingEmptySubsequences: false)
    let names = parts[0].split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, names.count == 2,
      let codec = VideoSettings.Codec(rawValue: String(names[0])), codec != .copy,
      let height = Int(names[1].hasSuffix("p") ? names[1].dropLast() : names[1]),
      (16...8640).contains(height)
    else { return nil }
    guard parts.count == 2 else { return Ladder.Rung(codec, height) }
    return BitRate(argument: String(parts[1])).map { Ladder.Rung(codec, height, rate: $0.value) }
  }

  static var expected: String {
    "auto, or codecs with heights and optional bit rates, such as hevc:2160@12M,h264:540"
  }

  var argument: String {
    guard ladder != .standard else { return "auto" }
    let words = ladder.rungs.map { rung in rung.name + (rung.rate.map { "@\($0)" } ?? "") }
    return words.joined(separator: ",")
  }
}
