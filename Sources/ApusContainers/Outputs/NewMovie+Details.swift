// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import ISOBMFF

extension NewMovie {
  /// Creates a movie with the details of an input.
  init(_ details: MediaDetails) {
    self.init()
    creationTime = details.creationTime ?? 0
    boxes = details.boxes
    var user: [Node] = []
    if details.boxes.isEmpty, let tags = MovieTags.metadata(details.tags) { user.append(tags) }
    if let chapters = Self.chapters(details.chapters) { user.append(chapters) }
    guard !user.isEmpty else { return }
    if let place = boxes.firstIndex(where: { $0.type == "udta" && $0.box is UserData }) {
      // QuickTime's list may end with a zero.
      let end = boxes[place].children.firstIndex(where: \.isJunk) ?? boxes[place].children.count
      boxes[place].children.insert(contentsOf: user, at: end)
    } else {
      var box = UserData()
      box.boxes = user
      boxes.append(Node("udta", box))
    }
  }

  /// Returns `chpl`, which holds at most 255 chapters.
  private static func chapters(_ chapters: [Chapter]) -> Node? {
    guard !chapters.isEmpty else { return nil }
    var list = ChapterList()
    list.chapters = chapters.prefix(255).compactMap { chapter in
      guard let start = chapter.start.rounded(to: 10_000_000) else { return nil }
      var entry = ChapterList.Chapter()
      entry.startTime = UInt64(max(0, start))
      entry.title = Array(chapter.title.cut(to: 255).utf8)
      return entry
    }
    return Node("chpl", list)
  }
}

extension String {
  /// Returns at most this many bytes of UTF-8, without cutting a character.
  fileprivate func cut(to count: Int) -> String {
    var result = self
    while result.utf8.count > count { result.removeLast() }
    return result
  }
}
