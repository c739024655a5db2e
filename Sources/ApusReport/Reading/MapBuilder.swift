// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Counts the bytes of tracks and items in bins, which need the same memory for any number of samples.
struct MapBuilder {
  private(set) var map = FileMap()
  private var used: [Int]
  private var media: [Int]

  fileprivate static let bins = 1000
  private static let most = 160
  private static let first = 120
  private static let last = 24

  init(_ boxes: [ReportBox], size: Int) {
    map.size = size
    let lane = Lane(fileSize: size)
    map.binSize = lane.binSize
    (used, media) = (lane.counts, lane.counts)
    var shown = boxes
    if boxes.count > Self.most {
      shown = Array(boxes.prefix(Self.first) + boxes.suffix(Self.last))
      map.omittedSegments = boxes.count - shown.count
    }
    map.segments = shown.map {
      FileMap.Segment($0.type, $0.start..<$0.start + $0.size, anchor: $0.anchor)
    }
  }

  /// Adds media data, which samples or items should use.
  mutating func addMedia(_ range: Range<Int>) {
    Self.add(range, to: &media, map.binSize)
  }

  mutating func add(_ lane: Lane, _ name: String, anchor: String?) {
    guard lane.bytes > 0 else { return }
    for index in used.indices { used[index] += lane.counts[index] }
    map.lanes.append(FileMap.Lane(name, bytes: lane.bytes, bins: lane.counts, anchor: anchor))
  }

  /// The bytes of one track or of items of one kind.
  struct Lane {
    fileprivate(set) var counts: [Int]
    private(set) var bytes = 0
    fileprivate let binSize: Int

    init(fileSize: Int) {
      binSize = max(1, (fileSize + MapBuilder.bins - 1) / MapBuilder.bins)
      counts = Array(repeating: 0, count: max(1, (fileSize + binSize - 1) / binSize))
    }

    @inline(__always)
    mutating func add(_ range: Range<Int>) {
      guard range.lowerBound >= 0, !range.isEmpty else { return }
      bytes = bytes &+ range.count
      let bin = range.lowerBound / binSize
      if bin < counts.count, range.upperBound <= (bin + 1) * binSize {
        counts[bin] &+= range.count
      } else {
        MapBuilder.add(range, to: &counts, binSize)
      }
    }
  }

  private static func add(_ range: Range<Int>, to counts: inout [Int], _ size: Int) {
    var start = max(0, range.lowerBound)
    while start < range.upperBound {
      let bin = start / size
      guard bin < counts.count else { return }
      let end = min(range.upperBound, (bin + 1) * size)
      counts[bin] &+= end - start
      start = end
    }
  }

  /// Returns the map with the bytes that are unused, and those used more than once.
  func finished() -> FileMap {
    var map = map
    // If no user of the media data is known, holes are unknown too.
    guard !map.lanes.isEmpty else { return map }
    map.holes = zip(media, used).map { max(0, $0 - $1) }
    map.shared = used.map { max(0, $0 - map.binSize) }
    return map
  }
}
