// SPDX-License-Identifier: MIT

/// What waits to be sent, bounded in bytes and in time.
///
/// When it fills, pictures are left out that others need least: RASL and RADL first, then those that nothing
/// refers to, then the highest temporal sub-layer, then all up to the next random access picture. Whatever
/// refers to one that was left out is left out too. Sound and configurations stay. Tracks of video do not refer to each
/// other; a stream begins at a random access picture of the first.
public struct SendQueue: Sendable {
  public struct Limits: Hashable, Sendable {
    public var bytes = 16 << 20
    /// Nanoseconds of stream.
    public var duration: Int64 = 3_000_000_000
    public init() {}
  }

  public let limits: Limits
  public private(set) var bytes = 0
  var items: [StreamItem] = []
  private var head = 0
  /// The track of video that a stream begins with.
  private let leader: Int
  /// What the samples that come next may refer to, by track; nothing of others was let through so far.
  private var gates: [Int: ReferenceGate] = [:]
  /// The highest temporal sub-layer that each track has shown.
  private var highest: [Int: UInt8] = [:]

  public init(_ limits: Limits = Limits(), leader: Int = 0) {
    self.limits = limits
    self.leader = leader
  }

  public var count: Int { items.count - head }
  public var isEmpty: Bool { count == 0 }
  public var first: StreamItem? { isEmpty ? nil : items[head] }

  /// The decoding time of the newest.
  var lastTime: Int64 { items.last?.time ?? 0 }

  /// Nanoseconds from the oldest picture to the newest; of sound where there are no pictures.
  public var duration: Int64 {
    guard let last = items.last, !isEmpty else { return 0 }
    let oldest = items[head...].first { $0.picture != nil } ?? items[head]
    return max(0, last.time - oldest.time)
  }

  /// The part of the queue that is full; 1 and more where all of it is.
  public var fullness: Double {
    max(
      Double(bytes) / Double(max(limits.bytes, 1)),
      Double(duration) / Double(max(limits.duration, 1)))
  }

  /// Whether sound alone fills it: nothing has been sent for a long time.
  public var isHopeless: Bool { bytes > 2 * limits.bytes }

  public mutating func take() -> StreamItem? {
    guard let item = first else { return nil }
    head += 1
    bytes -= item.bytes
    if head == items.count || head >= 256 {
      items.removeFirst(head)
      head = 0
    }
    return item
  }

  /// What to do where more comes than goes.
  public enum Policy: Hashable, Sendable {
    /// Nothing: the one that adds waits until there is room.
    case keepAll
    /// Leave out what is needed least.
    case thin
    /// There is no connection: keep the newest pictures from a random access picture on, with their sound.
    case outage
  }

  /// - Returns: what was left out for it.
  public mutating func add(_ item: StreamItem, _ policy: Policy = .thin) -> [Drop] {
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
        drops.add(kind, bytes: item.bytes, time: item.time / 1_000_000)
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

  /// The connection is gone, or new: what waits must begin with a random access picture.
  ///
  /// - Returns: what lies before it, sound too.
  public mutating func beginAtRandomAccess() -> [Drop] {
    var drops: [Drop] = []
    let index = items[head...].firstIndex(where: isBeginning)
    leaveOutAll(before: index ?? items.count, &drops)
    if index == nil { shut() }
    revisitAll(as: .dependent, &drops)
    return drops
  }

  public mutating func removeAll() {
    (items, head, bytes) = ([], 0, 0)
    shut()
  }

  private func isBeginning(_ item: StreamItem) -> Bool {
    item.isRandomAccess && item.track == leader
  }

  private mutating func shut() { for track in gates.keys { gates[track] = .shut } }

  // MARK: - Leaving out

  /// How full the queue is when each kind begins to go.
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
      // The only picture there is of a track stays.
      default: items.last { $0.picture != nil && $0.track == item.track }?.time != item.time
      }
    }
  }

  private func highest(of item: StreamItem) -> UInt8 {
    item.track.flatMap { highest[$0] } ?? 0
  }

  /// Leaves out one picture, and those that refer to it.
  private mutating func leaveOut(_ index: Int, _ kind: Drop.Kind, _ drops: inout [Drop]) {
    let item = items[index]
    guard let picture = item.picture, let track = item.track else { return }
    var closed = ReferenceGate()
    closed.leaveOut(picture, highest: highest(of: item))
    remove(index, kind, &drops)
    if closed.isShut { revisit(track, from: index, closed, as: kind, &drops) }
  }

  /// Leaves out the oldest pictures up to a random access picture that waits too; without one, the newest,
  /// and then all that come before the next. The only picture there is of a track stays.
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

  /// Makes room while there is no connection: whole groups of pictures go, the oldest first.
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

  /// Leaves out all samples before `end`; formats stay.
  private mutating func leaveOutAll(before end: Int, _ drops: inout [Drop]) {
    var index = end
    while index > head {
      index -= 1
      if items[index].isSample { remove(index, .outage, &drops) }
    }
  }

  /// Restarts each track with what waits.
  private mutating func revisitAll(as kind: Drop.Kind, _ drops: inout [Drop]) {
    for track in gates.keys.sorted() { revisit(track, from: head, .shut, as: kind, &drops) }
  }

  /// Passes the pictures of a track from a place on through a gate, and what comes later too.
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
    drops.add(kind, bytes: item.bytes, time: item.time / 1_000_000)
  }
}
