// SPDX-License-Identifier: MIT

import ApusSamples
import ISOBMFF

/// A typed tag: `artist=Somebody`.
struct TagSetting: ArgumentValue {
  var change: TagChange

  init?(argument: String) {
    guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else { return nil }
    change = TagChange(
      String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
  }

  static var expected: String { "a name and a value, such as artist=Somebody" }
  var argument: String { "\(change.name)=\(change.value)" }
}
