// SPDX-License-Identifier: MIT

internal import ApusFiles
internal import ApusMedia
internal import HLS
internal import ISOBMFF

/// A track as recorded in its playlists, which an earlier process wrote.
extension LiveLine {
  /// An upper bound for all numbers, so that sums of them are in range.
  static let mostNumber = 1 << 53

  /// Returns whether a folder's name is one of a track.
  static func isNamed(_ folder: some StringProtocol) -> Bool {
    ["video-", "audio-"].contains { kind in
      let digits = folder.dropFirst(kind.count)
      return folder.hasPrefix(kind) && !digits.isEmpty && digits.first != "0"
        && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
  }

  /// Returns `nil` for a playlist that this program would not write.
  ///
  /// - Parameters:
  ///   - rate: pictures per second.
  ///   - independentFrom: the number from which on no segment depends on another.
  init?(
    folder: String, _ playlist: MediaPlaylist, keyFrames: MediaPlaylist?, rate: RationalTime?,
    independentFrom: Int
  ) {
    guard playlist.mediaSequence < Self.mostNumber, playlist.skippedSegments == 0,
      playlist.discontinuitySequence < Self.mostNumber, !playlist.isKeyFramesOnly
    else { return nil }
    self.init(folder: folder)
    (mediaSequence, discontinuitySequence) = (
      playlist.mediaSequence, playlist.discontinuitySequence
    )
    for (index, listed) in playlist.segments.enumerated() {
      let number = mediaSequence + index
      let isIndependent = playlist.hasIndependentSegments || number >= independentFrom
      guard var segment = Segment(listed, number, isIndependent) else { return nil }
      if let rate, !segment.isGap { segment.count(at: rate) }
      segments.append(segment)
    }
    if let last = segments.last, let parts = playlist.growing?.parts {
      growing = last
      growing?.parts = parts.compactMap(SegmentedPart.init)
    }
    add(keyFrames)
  }

  /// Adds to segments the key frames listed in the playlist of key frames.
  private mutating func add(_ keyFrames: MediaPlaylist?) {
    keyFrameSequence = mediaSequence
    guard let keyFrames, keyFrames.mediaSequence < Self.mostNumber, keyFrames.skippedSegments == 0
    else { return }
    keyFrameSequence = keyFrames.mediaSequence
    var places: [String: Int] = [:]
    for (place, segment) in segments.enumerated() { places[segment.name] = place }
    for frame in keyFrames.segments {
      guard let place = places[frame.name], let range = frame.range, let start = range.start,
        max(start, range.count) < 1 << 32, let duration = frame.duration.rounded(to: 1_000_000),
        Segment.durations.contains(duration)
      else {
        // It belongs to a segment that is no longer in the other playlist.
        if segments.allSatisfy(\.keyFrames.isEmpty) { keyFrameSequence += 1 }
        continue
      }
      let begin = segments[place].end
      segments[place].keyFrames.append(
        WrittenFragment.KeyFrame(offset: start, size: range.count, start: begin))
      let end = (begin.rounded(to: 1_000_000) ?? 0) + duration
      segments[place].end = RationalTime(end, per: 1_000_000)
    }
  }

  /// The number of the segment after the last one.
  var end: Int { mediaSequence + segments.count }
  /// The discontinuity sequence number of the last segment.
  var lastDiscontinuity: Int { discontinuitySequence + segments.count(where: \.isDiscontinuous) }

  /// The number from which on no segment depends on another.
  var independentFrom: Int {
    mediaSequence + (segments.lastIndex { !$0.isIndependent }.map { $0 + 1 } ?? 0)
  }

  /// Removes all segments before a number.
  mutating func dropSegments(before number: Int) {
    while mediaSequence < number, !segments.isEmpty { count(gone: segments.removeFirst()) }
  }

  /// Adjusts the sequence numbers for a first segment that was removed from the playlists.
  mutating func count(gone segment: Segment) {
    mediaSequence += 1
    keyFrameSequence += segment.keyFrames.count
    if segment.isDiscontinuous { discontinuitySequence += 1 }
  }

  /// Removes all segments and sets the number of the next one.
  mutating func restart(at number: Int, discontinuity: Int) {
    let frames = segments.reduce(0) { $0 + $1.keyFrames.count }
    keyFrameSequence = max(keyFrameSequence + frames, number)
    (segments, mediaSequence, discontinuitySequence) = ([], number, discontinuity)
  }
}

extension SegmentedPart {
  /// Returns `nil` for one that is too long.
  fileprivate init?(_ listed: PartialSegment) {
    guard let duration = listed.duration.rounded(to: 1_000_000),
      LiveLine.Segment.durations.contains(duration)
    else { return nil }
    self.init(
      name: listed.name, segment: 0, duration: listed.duration,
      isIndependent: listed.isIndependent)
  }
}

extension LiveLine.Segment {
  /// The possible durations of segments, in microseconds, so that sums of them are in range.
  static let durations: Range<Int64> = 0..<86_400_000_000

  /// Returns `nil` for a segment that this program would not name.
  fileprivate init?(_ listed: MediaPlaylist.Segment, _ number: Int, _ isIndependent: Bool) {
    guard listed.isGap || listed.name == "\(number).m4s", listed.range == nil,
      listed.encryption == nil, let header = listed.header?.name, listed.header?.range == nil,
      header.hasPrefix("init-"), header.hasSuffix(".mp4"), !header.utf8.contains(0x2f),
      let duration = listed.duration.rounded(to: 1_000_000), Self.durations.contains(duration)
    else { return nil }
    self.init(
      name: listed.name, header: header, duration: listed.duration, size: 0, samples: 0,
      isIndependent: isIndependent)
    (isGap, isDiscontinuous, date) = (listed.isGap, listed.isDiscontinuous, listed.date)
  }

  /// Estimates its number of samples, assuming the picture rate of the whole track.
  fileprivate mutating func count(at rate: RationalTime) {
    let pictures = Double(microseconds) * (rate.rounded(to: 1000).map { Double($0) / 1e9 } ?? 0)
    samples = pictures < 1e6 ? Int(exactly: pictures.rounded()) ?? 0 : 0
  }
}
