// SPDX-License-Identifier: MIT

/// Bins with equally many samples each; because their number is not known in advance, pairs of bins are joined whenever
/// there are too many.
struct SampleBins {
  private(set) var bins: [Timeline.Bin] = []
  private(set) var perBin = 1
  private var fill = 0
  private let most: Int

  init(most: Int = 800) { self.most = most }

  @inline(__always)
  mutating func add(
    size: Int, time: Double, isKey: Bool, type: Timeline.PictureType?, count: Int = 1
  ) {
    if fill == 0 || fill >= perBin {
      if bins.count == most { halve() }
      if fill == 0 || fill >= perBin {
        bins.append(Timeline.Bin())
        bins[bins.count - 1].time = time
        fill = 0
      }
    }
    fill += count
    let last = bins.count - 1
    bins[last].count += count
    bins[last].bytes = bins[last].bytes &+ size &* count
    if size > bins[last].largest { bins[last].largest = size }
    if isKey { bins[last].keys += 1 }
    if let type { bins[last].types[type.rawValue] += 1 }
  }

  private mutating func halve() {
    var joined: [Timeline.Bin] = []
    joined.reserveCapacity(most)
    for index in stride(from: 0, to: bins.count, by: 2) {
      var bin = bins[index]
      if index + 1 < bins.count {
        let other = bins[index + 1]
        bin.count += other.count
        bin.bytes = bin.bytes &+ other.bytes
        bin.largest = max(bin.largest, other.largest)
        bin.keys += other.keys
        for type in bin.types.indices { bin.types[type] += other.types[type] }
      }
      joined.append(bin)
    }
    bins = joined
    perBin *= 2
    fill = bins.last?.count ?? 0
  }
}

/// Bytes in windows of equal duration; windows are doubled whenever there are too many.
struct RateBins {
  private(set) var bytes: [Int] = []
  private(set) var window: Double
  private let most: Int

  init(window: Double = 1, most: Int = 480) {
    self.window = window
    self.most = most
  }

  @inline(__always)
  mutating func add(_ size: Int, at time: Double) {
    guard time >= 0, time < 1e9 else { return }
    var index = Int(time / window)
    while index >= most {
      halve()
      index = Int(time / window)
    }
    while bytes.count <= index { bytes.append(0) }
    bytes[index] = bytes[index] &+ size
  }

  /// Returns the counts in the windows of another, which are not shorter.
  func joined(to other: RateBins) -> [Int] {
    var bins = self
    while bins.window < other.window { bins.halve() }
    let missing = max(0, other.bytes.count - bins.bytes.count)
    return bins.bytes + Array(repeating: 0, count: missing)
  }

  private mutating func halve() {
    bytes = stride(from: 0, to: bytes.count, by: 2).map { (index: Int) -> Int in
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      return bytes[index] &+ next
    }
    window *= 2
  }
}
