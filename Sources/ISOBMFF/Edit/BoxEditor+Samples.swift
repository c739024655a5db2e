// SPDX-License-Identifier: MIT

internal import ApusBytes

extension BoxEditor {
  /// A piece of a sample: its range in the file, and the sample's index in its track.
  public struct SamplePiece: Hashable, Sendable {
    /// The index of the sample in its track, from 0.
    public var sample: Int
    /// The range of the piece in the file.
    public var range: Range<Int>

    /// Creates a piece to be cut out.
    public init(sample: Int, range: Range<Int>) {
      self.sample = sample
      self.range = range
    }
  }

  /// Cuts pieces out of the samples of a track, which become smaller. This rewrites the media data.
  public mutating func cut(_ pieces: [SamplePiece], from track: Track) throws(EditError) {
    let tables = [track.sampleTable].compactMap { $0 } + track.fragments.map(\.fragment.located)
    for table in tables {
      for type in ["subs", "senc", "saio"] as [FourCC] where table.child(type) != nil {
        throw .refused(
          path: table.path, reason: "\(type) speaks of parts of samples, which would no longer fit")
      }
    }
    var removed: [Int: Int] = [:]
    for piece in pieces { removed[piece.sample, default: 0] += piece.range.count }
    var next = 0
    if let sizes = track.sampleTable?.child("stsz"), let box = sizes.box(SampleSizes.self) {
      next = Int(box.sampleCount)
      if removed.keys.contains(where: { $0 < next }) {
        try change(sizes, to: try box.shrunk(by: removed))
      }
    } else if track.sampleTable?.child("stz2") != nil {
      throw .refused(
        path: track.path, reason: "has compact sample sizes, which are not changed yet")
    }
    for fragment in track.fragments.map(\.fragment) {
      for run in fragment.runs {
        guard let box = run.box(TrackRun.self) else { continue }
        let samples = next..<next + Int(box.sampleCount)
        next = samples.upperBound
        guard samples.contains(where: { removed[$0] != nil }) else { continue }
        let sizes = samples.map { removed[$0] ?? 0 }
        try change(run, to: try box.shrunk(by: sizes, fragment.defaultSize))
      }
    }
    self.pieces += pieces.map { SplicedSource.Piece($0.range) }
  }

  private mutating func change(_ located: LocatedNode, to box: any Box) throws(EditError) {
    try change(located) { siblings, index in siblings[index].box = box }
  }

  /// Returns the boxes with the changes of the media data; a box of which nothing is left is removed.
  func splicing(_ boxes: [Node]) throws(EditError) -> [Node] {
    let pieces = pieces.sorted()
    guard zip(pieces, pieces.dropFirst()).allSatisfy({ $0.range.upperBound <= $1.range.lowerBound })
    else {
      throw .refused(path: "mdat", reason: "samples share bytes, so nothing can be cut out of them")
    }
    var boxes = boxes
    var left = pieces.count
    for index in boxes.indices {
      guard case .lazy(let body) = boxes[index].content, body.source === source else { continue }
      let inside = pieces.filter {
        body.range.lowerBound <= $0.range.lowerBound && $0.range.upperBound <= body.range.upperBound
      }
      guard !inside.isEmpty else { continue }
      left -= inside.count
      let spliced = SplicedSource(body, replacing: inside)
      boxes[index].content = .lazy(Extent(spliced, 0..<spliced.count))
      boxes[index].extent = nil
    }
    guard left == 0 else {
      throw .refused(path: "mdat", reason: "what must change lies outside the media data")
    }
    boxes.removeAll { node in
      guard case .lazy(let body) = node.content, node.extent == nil else { return false }
      return body.isEmpty
    }
    return boxes
  }
}

extension SampleSizes {
  /// Returns the sizes of the smaller samples, with a separate entry for each.
  fileprivate func shrunk(by removed: [Int: Int]) throws(EditError) -> SampleSizes {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(sampleCount) * 4)
    var row = 0
    func append(_ size: Int) {
      let size = UInt32(clamping: size - (removed[row] ?? 0))
      for shift in [24, 16, 8, 0] as [UInt32] {
        bytes.append(UInt8(truncatingIfNeeded: size >> shift))
      }
      row += 1
    }
    if sampleSize > 0 {
      for _ in 0..<sampleCount { append(Int(sampleSize)) }
    } else {
      try reading { () throws(SyntaxError) in try entries.scan { append(Int($0[0])) } }
    }
    var sizes = self
    sizes.sampleSize = 0
    sizes.entries = Table(
      columns: SampleSizes.columns, count: row, extent: Extent(bytes))
    return sizes
  }
}

extension TrackRun {
  /// Returns the run of smaller samples, with a column of sizes added if it had none.
  fileprivate func shrunk(by removed: [Int], _ defaultSize: Int) throws(EditError) -> TrackRun {
    var columns = samples.columns
    let known = columns.firstIndex { $0.name == "sample_size" }
    let place = known ?? (columns.first?.name == "sample_duration" ? 1 : 0)
    if known == nil { columns.insert(.init("sample_size", 32), at: place) }
    let (old, new) = (samples, columns)
    var run = self
    run.samples = try reading { () throws(SyntaxError) in
      var rows: [[Int64]] = []
      var cursor = try old.cursor()
      var row: [Int64] = []
      for count in removed {
        if try !cursor.next(&row) { row = [] }
        if known == nil { row.insert(Int64(defaultSize), at: place) }
        row[place] -= Int64(count)
        rows.append(row)
      }
      return try Table(columns: new, rows: rows)
    }
    run.header.flags |= 0x200
    return run
  }
}
