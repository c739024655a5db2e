// SPDX-License-Identifier: MIT

package import ApusMedia

/// A title of WebVTT: W3C WebVTT, 3.1.
package struct WebVTTCue: Hashable, Sendable {
  package var start: RationalTime
  package var end: RationalTime
  /// The position of the text (`line:0 align:start`); empty for the usual one.
  package var settings = ""
  package var text: String

  package init(start: RationalTime, end: RationalTime, settings: String = "", text: String) {
    self.start = start
    self.end = end
    self.settings = settings
    self.text = text
  }

  /// Returns a time in WebVTT's notation: `00:00:01.500`.
  package static func stamp(milliseconds: Int64) -> String {
    func digits(_ value: Int64, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    let (seconds, rest) = max(0, milliseconds).quotientAndRemainder(dividingBy: 1000)
    return digits(seconds / 3600, 2) + ":" + digits(seconds / 60 % 60, 2) + ":"
      + digits(seconds % 60, 2) + "." + digits(rest, 3)
  }
}
