// SPDX-License-Identifier: MIT

internal import ApusBytes

extension StyledText {
  /// The text in SubRip, with the tags that players know. Empty lines are left out, because they would end it.
  var subRip: String {
    var result = ""
    var open = Style()
    for letter in letters where !(letter.scalar == "\n" && result.last == "\n") {
      if letter.style != open {
        result += open.subRipEnds + letter.style.subRipBegins
        open = letter.style
      }
      result.unicodeScalars.append(letter.scalar)
    }
    return result + open.subRipEnds
  }
}

extension StyledText.Style {
  fileprivate var subRipBegins: String {
    subRipTags.map { $0.value.isEmpty ? "<\($0.name)>" : "<\($0.name) \($0.value)>" }.joined()
  }

  fileprivate var subRipEnds: String { subRipTags.reversed().map { "</\($0.name)>" }.joined() }

  private var subRipTags: [(name: String, value: String)] {
    var tags: [(String, String)] = []
    // Text without a tag is white.
    if let colour, colour >> 8 != 0xff_ffff {
      tags.append(("font", "color=\"#\((colour >> 8).hexadecimal(width: 6))\""))
    }
    if face.contains(.bold) { tags.append(("b", "")) }
    if face.contains(.italic) { tags.append(("i", "")) }
    if face.contains(.underlined) { tags.append(("u", "")) }
    return tags
  }
}
