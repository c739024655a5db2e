// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Finds the sample at an offset, and the track that it belongs to.
struct SampleFinder {
  /// A sample that was found.
  struct Found {
    var track: Int
    var sample: FoundSample
    fileprivate var picture: PictureFinder.Picture?
  }

  private var tracks: [RecoverableTrack]
  /// Whether there are bytes that only their neighbours explain.
  private let hasUnrecognizable: Bool
  private let filter: AnchorFilter

  init(_ tracks: [RecoverableTrack]) {
    self.tracks = tracks
    filter = AnchorFilter(tracks)
    hasUnrecognizable = tracks.contains { !$0.isRecognizable } || tracks.count == 1
  }

  /// Returns the sample at an offset; `nil` if there is none.
  ///
  /// - Parameter isExplained: whether the bytes before it are explained, so that any bytes may be a sample.
  func sample(
    at offset: Int, order: ChunkOrder, isExplained: Bool, in window: inout SearchWindow
  ) throws -> Found? {
    let pictures = try pictures(at: offset, in: &window)
    if !pictures.isEmpty {
      let track = order.choice(among: pictures.map(\.track))
      return pictures.first { $0.track == track }
    }
    let frames = try frames(at: offset, in: &window)
    if !frames.isEmpty {
      let track = order.choice(among: frames.map(\.track))
      return frames.first { $0.track == track }
    }
    guard isExplained, try !isCut(at: offset, in: &window) else { return nil }
    let sounds = tracks.indices.filter {
      // Sound that ended without another sample after it was followed by something else.
      if case .moments = tracks[$0].structure { $0 != order.current } else { false }
    }
    guard !sounds.isEmpty else { return nil }
    let track = order.choice(among: sounds)
    return try moments(
      of: track, at: offset, most: sounds.count > 1 ? order.left(of: track) : nil, in: &window)
  }

  /// Continues after a sample.
  mutating func accept(_ found: Found) {
    guard let picture = found.picture, case .pictures(var finder) = tracks[found.track].structure
    else { return }
    finder.accept(picture)
    tracks[found.track].structure = .pictures(finder)
  }

  /// Returns the first offset from `offset` at which a box or samples certainly begin, even among bytes that cannot be
  /// explained; the size of the file if there is none.
  func nextAnchor(from offset: Int, in window: inout SearchWindow) throws -> Int {
    var next = offset
    while next < window.count {
      let nonzero = try window.firstNonzero(from: next)
      // The size before a sample or a type may begin with zeros.
      if nonzero - next > 8 { next = nonzero - 4 }
      next = try filter.next(from: next, in: &window)
      if next >= window.count { break }
      if try isAnchor(at: next, in: &window) { return next }
      next += 1
    }
    return window.count
  }

  /// Returns whether a box or samples certainly begin at an offset, even among bytes that cannot be explained.
  private func isAnchor(at offset: Int, in window: inout SearchWindow) throws -> Bool {
    if try isBox(at: offset, in: &window) { return true }
    for found in try pictures(at: offset, in: &window) {
      let end = found.sample.range.upperBound
      if hasUnrecognizable { return true }
      if try end == window.count || isLikely(at: end, in: &window) { return true }
    }
    return try isFrameChain(at: offset, in: &window)
  }

  /// Returns whether a box begins at an offset among bytes that may look like one by chance: something that is
  /// recognized is at its end, or begins its contents.
  private func isBox(at offset: Int, in window: inout SearchWindow) throws -> Bool {
    guard let box = try FileBox.find(at: offset, in: &window) else { return false }
    let end = box.range.upperBound
    if try end == window.count || end < window.count && isLikely(at: end, in: &window) {
      return true
    }
    let contents = offset + box.headerCount
    if box.type == "mdat" { return try isLikely(at: contents, in: &window) }
    let child = try window.bytes(at: contents + 4, upTo: 4)
    return child.elementsEqual("mvhd".utf8) || child.elementsEqual("mfhd".utf8)
  }

  private func pictures(at offset: Int, in window: inout SearchWindow) throws -> [Found] {
    var found: [Found] = []
    for index in tracks.indices {
      guard case .pictures(let finder) = tracks[index].structure,
        let picture = try finder.picture(at: offset, in: &window)
      else { continue }
      var sample = FoundSample(offset: offset, size: picture.range.count)
      sample.isSync = picture.isSync
      sample.orderCount = picture.orderCount
      sample.startsSequence = picture.startsSequence
      found.append(Found(track: index, sample: sample, picture: picture))
    }
    return found
  }

  /// Returns the tracks of which a frame, or a sample with their pattern, is at an offset.
  private func frames(at offset: Int, in window: inout SearchWindow) throws(SyntaxError) -> [Found]
  {
    var found: [Found] = []
    for index in tracks.indices {
      let size: Int?
      switch tracks[index].structure {
      case .frames(let reader):
        size = reader.size(of: try window.bytes(at: offset, upTo: reader.mostBytes))
      case .pattern(let pattern):
        let isWhole = offset + pattern.size <= window.count
        let start = try window.bytes(at: offset, upTo: pattern.bytes.count)
        size = isWhole && pattern.matches(start) ? pattern.size : nil
      case .pictures, .moments, .unknown: size = nil
      }
      if let size {
        found.append(Found(track: index, sample: FoundSample(offset: offset, size: size)))
      }
    }
    return found
  }

  /// Returns whether the file ends inside a sample that begins at an offset.
  private func isCut(at offset: Int, in window: inout SearchWindow) throws -> Bool {
    for track in tracks.indices {
      guard case .pictures(let finder) = tracks[track].structure else { continue }
      if try finder.isCut(at: offset, in: &window) { return true }
    }
    return false
  }

  /// Returns whether a box or a sample may be at an offset.
  private func isLikely(at offset: Int, in window: inout SearchWindow) throws -> Bool {
    if try FileBox.find(at: offset, in: &window) != nil { return true }
    for track in tracks.indices {
      guard case .pictures(let finder) = tracks[track].structure else { continue }
      if try finder.isUnit(at: offset, in: &window) { return true }
    }
    return try !frames(at: offset, in: &window).isEmpty
  }

  /// Returns whether several frames of AAC follow each other, which is no coincidence.
  private func isFrameChain(at offset: Int, in window: inout SearchWindow) throws -> Bool {
    for track in tracks.indices {
      guard case .frames(let reader) = tracks[track].structure else { continue }
      var place = offset
      var count = 0
      while count < Self.leastFrames,
        let size = reader.size(of: try window.bytes(at: place, upTo: reader.mostBytes))
      {
        place += size
        count += 1
      }
      if count == Self.leastFrames { return true }
      if count > 1, try !pictures(at: place, in: &window).isEmpty { return true }
    }
    return false
  }

  /// Returns uncompressed sound up to the next sample of another track.
  ///
  /// - Parameter most: the maximum number of moments; `nil` if another sample ends them.
  private func moments(
    of track: Int, at offset: Int, most: Int?, in window: inout SearchWindow
  ) throws -> Found? {
    guard case .moments(let size) = tracks[track].structure else { return nil }
    let known = tracks[track].chunkSizes
    let longest = known.max() ?? 1 << 20
    let limit = tracks.contains(where: \.isRecognizable) ? longest : Int.max / 2
    let last = offset + (most.map { max(1, $0) * size } ?? limit)
    var end = offset + size
    while end < last, end + size <= window.count {
      if try isStart(at: end, in: &window) { break }
      if known.contains(end - offset), try isCut(at: end, in: &window) { break }
      end += size
    }
    guard end <= window.count else { return nil }
    if end + size > window.count {
      // Nothing shows where the sound ends before the end of the file.
      end = try soundEnd(offset..<end, size: size, known: known, in: &window)
    }
    guard end > offset else { return nil }
    var sample = FoundSample(offset: offset, size: end - offset)
    sample.count = (end - offset) / size
    return Found(track: track, sample: sample)
  }

  /// Returns the end of sound in the last bytes of a file: zeros after it may have been anything else.
  private func soundEnd(
    _ range: Range<Int>, size: Int, known: Set<Int>, in window: inout SearchWindow
  ) throws -> Int {
    var zero = range.upperBound
    while zero > range.lowerBound, try window.isZero(zero - 1..<zero) { zero -= 1 }
    guard range.upperBound - zero >= Self.leastZeros else { return range.upperBound }
    guard zero > range.lowerBound else { return zero }
    let usual = known.filter { zero - range.lowerBound <= $0 && $0 <= range.count }.min()
    return range.lowerBound + (usual ?? (zero - range.lowerBound + size - 1) / size * size)
  }

  /// Returns whether a box, or a sample of a track with a structure, begins at an offset.
  private func isStart(at offset: Int, in window: inout SearchWindow) throws -> Bool {
    if try isBox(at: offset, in: &window) { return true }
    for track in tracks.indices {
      guard case .pictures(let finder) = tracks[track].structure,
        try finder.isUnit(at: offset, in: &window)
      else { continue }
      if try finder.picture(at: offset, in: &window) != nil { return true }
    }
    return try isFrameChain(at: offset, in: &window)
  }

  private static let leastFrames = 4
  private static let leastZeros = 256
}
