// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Times, places and titles of a movie that are changed wherever it states them.
extension BoxEditor {
  /// Changes the times at which a movie and its tracks were made, and keeps those at which they were last modified.
  /// Times of 0, which are unknown, are passed on as well.
  ///
  /// - Parameters:
  ///   - number: returns the new seconds since 1904, UTC; `nil` for a time that cannot be changed.
  ///   - text: returns the new text of a time such as `2024-01-31T12:00:00+0100`; `nil` to keep it.
  public mutating func changeTimes(
    _ number: (UInt64) -> UInt64?, text: (String) -> String?
  ) throws(EditError) {
    for movie in original.located where movie.node.type == "moov" {
      let tracks = movie.children(of: "trak")
      let headers =
        [movie.child("mvhd")] + tracks.flatMap { [$0.child("tkhd"), $0.child("mdia", "mdhd")] }
      for header in headers.compactMap(\.self) {
        try change(header) { siblings, index throws(EditError) in
          guard var box = siblings[index].box as? any TimedHeader else { return }
          guard let new = number(box.creationTime), new <= box.latestTime else {
            throw .refused(path: header.path, reason: "it has no room for that time")
          }
          box.creationTime = new
          siblings[index].box = box
        }
      }
      for value in texts(of: movie, ["creationdate"], [FourCC(0xa964_6179)]) {
        try change(value) { siblings, index in siblings[index].changeText(text) }
      }
    }
  }

  /// Sets the place where a movie was recorded.
  ///
  /// - Parameter place: the place in the form of ISO 6709: `+52.5200+013.4050/`.
  public mutating func setPlace(_ place: String) throws(EditError) {
    let locations = LocationBoxes(original) { $0 }
    try locations.check()
    let movies = original.located.filter { $0.node.type == "moov" }
    let texts = movies.flatMap {
      self.texts(of: $0, ["location.iso6709", "location"], [FourCC(0xa978_797a)])
    }
    for value in texts {
      try change(value) { siblings, index in siblings[index].changeText { _ in place } }
    }
    for box in locations.boxes where !texts.contains(where: { $0.isWithin(box) }) {
      try remove(box)
    }
    guard texts.isEmpty, let movie = movies.first else { return }
    try change(movie) { siblings, index in siblings[index].add(place: place) }
  }

  /// Sets titles and the like of a movie, and removes those without a value.
  public mutating func change(_ tags: [TagChange]) throws(EditError) {
    for movie in original.located where movie.node.type == "moov" {
      try change(movie) { siblings, index in
        for tag in tags { MovieTags.apply(tag, to: &siblings[index].children) }
      }
    }
  }

  /// Returns the boxes with texts, in keyed metadata by the ends of their names, and elsewhere by their types.
  private func texts(of movie: LocatedNode, _ names: [String], _ types: Set<FourCC>)
    -> [LocatedNode]
  {
    let user = movie.child("udta")
    var found = user?.children.filter { types.contains($0.node.type) } ?? []
    for meta in [movie.child("meta"), user?.child("meta")].compactMap(\.self) {
      for (key, item) in meta.keyedItems {
        let key = key?.lowercased() ?? ""
        let isNamed = names.contains { key == $0 || key.hasSuffix(".\($0)") }
        guard isNamed || types.contains(item.node.type) else { continue }
        found += item.children(of: "data")
      }
    }
    return found
  }
}

extension LocatedNode {
  /// Returns whether the box is another one or lies in it.
  fileprivate func isWithin(_ other: LocatedNode) -> Bool {
    guard let own = node.origin, let outer = other.node.origin else { return false }
    return outer.lowerBound <= own.lowerBound && own.upperBound <= outer.upperBound
  }
}

extension Node {
  fileprivate mutating func changeText(_ change: (String) -> String?) {
    if var value = box as? MetadataValue, case .text(let old) = value.value {
      guard let new = change(String(decoding: old, as: UTF8.self)) else { return }
      value.value = .text(Array(new.utf8))
      box = value
    } else if var text = box as? UserDataText {
      if let plain = text.plain {
        let old = String(decoding: plain.prefix { $0 != 0 }, as: UTF8.self)
        text.plain = change(old).map { Array($0.utf8) } ?? plain
      }
      for index in text.strings.indices {
        let old = String(decoding: text.strings[index].text, as: UTF8.self)
        if let new = change(old) { text.strings[index].text = Array(new.utf8) }
      }
      box = text
    }
  }

  /// Adds a place to the user data of a movie.
  fileprivate mutating func add(place: String) {
    var entry = UserDataText.Entry()
    // Undetermined, as ISO 639-2 packs it.
    entry.language = 0x55C4
    entry.text = Array(place.utf8)
    var text = UserDataText()
    text.strings = [entry]
    let node = Node(FourCC(0xa978_797a), text)
    guard let user = children.firstIndex(where: { $0.type == "udta" && $0.box is UserData }) else {
      var data = UserData()
      data.boxes = [node]
      return children.append(Node("udta", data))
    }
    // QuickTime's list may end with a zero.
    let end = children[user].children.firstIndex(where: \.isJunk) ?? children[user].children.count
    children[user].children.insert(node, at: end)
  }
}

/// A header that tells when something was made.
private protocol TimedHeader: FullBox {
  var creationTime: UInt64 { get set }
}

extension TimedHeader {
  fileprivate var latestTime: UInt64 { header.version == 1 ? .max : UInt64(UInt32.max) }
}

extension MovieHeader: TimedHeader {}
extension TrackHeader: TimedHeader {}
extension MediaHeader: TimedHeader {}
