// SPDX-License-Identifier: MIT

internal import ApusMedia

/// The facts about a live presentation that a later process needs and may not find in playlists: numbers that are free.
struct LiveMemo: Hashable, Sendable {
  var nextSegment = 0
  var nextPart = 0
  var nextHeader = 0
  /// The discontinuity sequence number of the last segment.
  var discontinuity = 0
  /// The first segment from which on none depends on another, which a live playlist of video does not declare.
  var independentFrom = LiveLine.mostNumber
  /// The requested durations of segments and parts, in microseconds; 0 where there are no parts.
  var segmentDuration: Int64 = 0
  var partDuration: Int64 = 0

  init() {}

  init(_ options: LivePresentation.Options) {
    segmentDuration = options.segmentDuration.rounded(to: 1_000_000) ?? 0
    partDuration = options.partDuration?.rounded(to: 1_000_000) ?? 0
  }

  /// Returns whether the options were the same.
  func isAsked(_ other: LiveMemo) -> Bool {
    segmentDuration == other.segmentDuration && partDuration == other.partDuration
  }

  /// Returns `nil` for words in any other form.
  init?(_ words: String) {
    let numbers = words.split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 7, numbers.allSatisfy({ (0...LiveLine.mostNumber).contains($0) }) else {
      return nil
    }
    (nextSegment, nextPart, nextHeader) = (numbers[0], numbers[1], numbers[2])
    discontinuity = numbers[3]
    (segmentDuration, partDuration) = (Int64(numbers[4]), Int64(numbers[5]))
    independentFrom = numbers[6]
  }

  var words: String {
    [
      nextSegment, nextPart, nextHeader, discontinuity, Int(segmentDuration), Int(partDuration),
      independentFrom,
    ].map(String.init).joined(separator: " ")
  }
}
