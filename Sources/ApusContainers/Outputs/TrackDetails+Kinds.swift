// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusSamples
internal import ISOBMFF

extension TrackDetails {
  /// The roles of a track in the words of DASH (ISO/IEC 23009-1, 5.8.5.5) as FFmpeg writes and reads them: `udta` with
  /// a `kind` for each role that has such a word; `nil` if there are no such roles.
  var kinds: Node? {
    let words = Self.words.filter { !roles.isDisjoint(with: $0.roles) }.map(\.word)
    guard !words.isEmpty else { return nil }
    var box = UserData()
    box.boxes = words.map { word in
      var kind = TrackKind()
      (kind.schemeURI, kind.value) = ("urn:mpeg:dash:role:2011", word)
      return Node("kind", kind)
    }
    return Node("udta", box)
  }

  private static let words: [(roles: Set<Role>, word: Text)] = [
    ([.forced], "forced-subtitle"), ([.dub], "dub"), ([.comment], "commentary"),
    ([.captions, .hearingImpaired], "caption"), ([.descriptions, .visualImpaired], "description"),
    ([.karaoke], "karaoke"),
  ]
}
