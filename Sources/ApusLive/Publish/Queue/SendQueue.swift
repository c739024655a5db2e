// SPDX-License-Identifier: MIT

internal import ApusThreads

/// The items that wait to be sent, bounded in bytes and in time.
///
/// When it fills, the pictures needed least are dropped: RASL and RADL first, then those to which nothing refers, then
/// the highest temporal sub-layer, then all up to the next random access picture. Pictures that refer to a dropped one
/// are dropped too. Sound and configurations are kept. Video tracks do not refer to each other; a stream begins at a
/// random access picture of the first.
public struct SendQueue: Sendable {
  /// The limits at which a queue is full.
  public struct Limits: Hashable, Sendable {
    /// The most bytes that wait; 16 MiB by default.
    public var bytes = 16 << 20
    /// The duration of the stream that waits.
    public var duration: Duration = .seconds(3)
    /// Creates the default limits.
    public init() {}
  }

  let limits: Limits
  private let longest: Int64
  private(set) var bytes = 0
  var items: [StreamItem] = []
  private var head = 0
  /// The video track with which a stream begins.
  private let leader: Int
  /// The gates for the next samples, by track; for other tracks nothing was admitted so far.
  private var gates: [Int: ReferenceGate] = [:]
  /// The highest temporal sub-layer seen in each track.
  private var highest: [Int: UInt8] = [:]

  init(_ limits: Limits = Limits(), leader: Int = 0) {
    self.limits = limits
    longest = limits.duration.nanoseconds
    self.leader = leader
  }

  var count: Int { items.count - head }
  var isEmpty: Bool { count == 0 }
  var first: StreamItem? { isEmpty ? nil : items[head] }

  /// The decoding time of the newest item.
  var lastTime: Int64 { items.last?.time ?? 0 }

  /// Nanoseconds from the oldest picture to the newest; for sound where there are no pictures.
  var duration: Int64 {
    guard let last = items.last, !isEmpty else { return 0 }
    let oldest = items[head...].first { $0.picture != nil } ?? items[head]
    return max(0, last.time - oldest.time)
  }

  /// The part of the queue that is full; 1 or more when it is full.
  var fullness: Double {
    max(
      Double(bytes) / Double(max(limits.bytes, 1)),
      Double(duration) / Double(max(longest, 1)))
  }

  /// Whether sound alone fills it, because nothing has been sent for a long time.
  var isHopeless: Bool { bytes > 2 * limits.bytes }

  mutating func take() -> StreamItem? {
    guard let item = first else { return nil }
    head += 1
    bytes -= item.bytes
    if head == items.count || head >= 256 {
      items.removeFirst(head)
      head = 0
    }
    return item
  }

  /// The policy for a queue that fills faster than it is emptied.
  enum Policy: Hashable, Sendable {
    /// Drop nothing: the caller waits until there is room.
    case keepAll
    /// Drop what is needed least.
    case thin
    /// Keep only the newest pictures, from a random access picture on, with their sound, because there is no
    /// connection.
    case outage
  }

  /// - Returns: the items dropped to make room.
  mutating func add(_ item: StreamItem, _ policy: Policy = .thin) -> [Drop] {
    var drops: [Drop] = []
    var item = item
    if let picture = item.picture, let track = item.track {
      highest[track] = max(highest[track] ?? 0, picture.temporalID)
      var gate = gates[track] ?? .shut
      item.followsGap = gates[track] != nil && item.isRandomAccess && gate.awaitsRandomAccess
      let isDecodable = gate.admits(picture)
      if isDecodable || gates[track] != nil { gates[track] = gate }
      guard isDecodable else {
        let kind: Drop.Kind =
          policy == .outage ? .outage : gate.awaitsRandomAccess ? .untilKeyFrame : .dependent
        drops.add(kind, bytes: item.bytes, time: .nanoseconds(item.time))
        return drops
      }
    }
    items.append(item)
    bytes += item.bytes
    switch policy {
    case .keepAll: break
    case .thin: thin(&drops)
    case .outage: trim(&drops)
    }
    return drops
  }

  /// Makes the queue begin with a random access picture, after a connection was lost or opened.
  ///
  /// - Returns: the items before that picture, including sound.
  mutating func beginAtRandomAccess() -> [Drop] {
    var drops: [Drop] = []
    let index = items[head...].firstIndex(where: isBeginning)
    leaveOutAll(before: index ?? items.count, &drops)
    if index == nil { shut() }
    revisitAll(as: .dependent, &drops)
    return drops
  }

  mutating func removeAll() {
    (items, head, bytes) = ([], 0, 0)
    shut()
  }

  private func isBeginning(_ item: StreamItem) -> Bool {
    item.isRandomAccess && item.track == leader
  }

  private mutating func shut() { for track in gates.keys { gates[track] = .shut } }

  // MARK: - Leaving out

  /// The fullness at which dropping begins for each kind.
  private static let stages: [(kind: Drop.Kind, fullness: Double)] = [
    (.leading, 0.5), (.nonReference, 0.625), (.sublayer, 0.75), (.untilKeyFrame, 1),
  ]

  private mutating func thin(_ drops: inout [Drop]) {
    guard fullness >= Self.stages[0].fullness else { return }
    for stage in Self.stages {
      while fullness >= stage.fullness, let index = candidate(stage.kind) {
        if stage.kind == .untilKeyFrame {
          guard leaveOutGroup(from: index, &drops) else { break }
        } else {
          leaveOut(index, stage.kind, &drops)
        }
      }
    }
  }

  private func candidate(_ kind: Drop.Kind) -> Int? {
    items[head...].firstIndex { item in
      guard let picture = item.picture, picture.kind != .randomAccess || kind == .untilKeyFrame
      else { return false }
      return switch kind {
      case .leading: picture.isLeading
      case .nonReference: picture.isLeaf(highest: highest(of: item))
      case .sublayer: highest(of: item) > 0 && picture.temporalID == highest(of: item)
      // The only picture of a track is kept.
      default: items.last { $0.picture != nil && $0.track == item.track }?.time != item.time
      }
    }
  }

  private func highest(of item: StreamItem) -> UInt8 {
    item.track.flatMap { highest[$0] } ?? 0
  }

  /// Drops one picture, and those that refer to it.
  private mutating func leaveOut(_ index: Int, _ kind: Drop.Kind, _ drops: inout [Drop]) {
    let item = items[index]
    guard let picture = item.picture, let track = item.track else { return }
    var closed = ReferenceGate()
    closed.leaveOut(picture, highest: highest(of: item))
    remove(index, kind, &drops)
    if closed.isShut { revisit(track, from: index, closed, as: kind, &drops) }
  }

  /// Drops the oldest pictures up to a random access picture in the queue; without one, the newest picture, and then
  /// all that come before the next random access picture. The only picture of a track is kept.
  private mutating func leaveOutGroup(from index: Int, _ drops: inout [Drop]) -> Bool {
    guard let track = items[index].track else { return false }
    let isPicture = { (item: StreamItem) in item.picture != nil && item.track == track }
    if let next = items[(index + 1)...].firstIndex(where: {
      $0.isRandomAccess && $0.track == track
    }) {
      var place = next
      while place > index {
        place -= 1
        if isPicture(items[place]) { remove(place, .untilKeyFrame, &drops) }
      }
      revisit(track, from: index, .shut, as: .untilKeyFrame, &drops)
      return true
    }
    guard let last = items.lastIndex(where: isPicture), last > index,
      let picture = items[last].picture
    else { return false }
    var closed = ReferenceGate()
    closed.leaveOut(picture, highest: highest(of: items[last]))
    if !closed.isShut { closed = .shut }
    remove(last, .untilKeyFrame, &drops)
    gates[track, default: .shut].merge(closed)
    return fullness >= 1
  }

  /// Makes room while there is no connection: whole groups of pictures are dropped, the oldest first.
  private mutating func trim(_ drops: inout [Drop]) {
    while fullness >= 1 {
      let start = head + 1
      guard start < items.count else { return }
      let next = items[start...].firstIndex(where: isBeginning)
      let hasPictures = items[head...].contains { $0.picture != nil }
      guard hasPictures else { return leaveOutAll(before: start, &drops) }
      leaveOutAll(before: next ?? items.count, &drops)
      if next == nil { shut() } else { revisitAll(as: .outage, &drops) }
    }
  }

  /// Drops all samples before `end`; formats are kept.
  private mutating func leaveOutAll(before end: Int, _ drops: inout [Drop]) {
    var index = end
    while index > head {
      index -= 1
      if items[index].isSample { remove(index, .outage, &drops) }
    }
  }

  /// Restarts each track with the items in the queue.
  private mutating func revisitAll(as kind: Drop.Kind, _ drops: inout [Drop]) {
    for track in gates.keys.sorted() { revisit(track, from: head, .shut, as: kind, &drops) }
  }

  /// Passes the queued pictures of a track, from an index on, through a gate, which then also applies to later ones.
  private mutating func revisit(
    _ track: Int, from start: Int, _ closed: ReferenceGate, as kind: Drop.Kind,
    _ drops: inout [Drop]
  ) {
    var closed = closed
    var index = start
    while index < items.count {
      guard let picture = items[index].picture, items[index].track == track else {
        index += 1
        continue
      }
      let isAwaited = closed.awaitsRandomAccess
      if closed.admits(picture) {
        if isAwaited { items[index].followsGap = true }
        index += 1
      } else {
        remove(index, kind, &drops)
      }
    }
    gates[track, default: .shut].merge(closed)
  }

  private mutating func remove(_ index: Int, _ kind: Drop.Kind, _ drops: inout [Drop]) {
    let item = items.remove(at: index)
    bytes -= item.bytes
    drops.add(kind, bytes: item.bytes, time: .nanoseconds(item.time))
  }
}
