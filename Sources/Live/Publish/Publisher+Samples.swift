// SPDX-License-Identifier: MIT

internal import Bytes
internal import Containers
internal import FLV
internal import Flow
internal import Media
internal import RTMP

/// The path of the samples: from the input to the queue at their time, and from there to the connection.
extension Publisher {
  /// Adds an item to the queue.
  mutating func offer(_ item: StreamItem) {
    guard phase == .streaming, sourceEnd == nil else { return }
    var item = item
    guard case .sample(let sample) = item.event else {
      item.time = queue.lastTime
      return report(queue.add(item, .keepAll))
    }
    guard isCarried(sample.track) else { return }
    do {
      let (placed, time) = try clock.place(sample, item.time)
      (item.event, item.time) = (.sample(placed), time)
    } catch {
      return offerEnd(.failed(MediaError(error)))
    }
    if item.isJoined {
      actions.append(
        .report(
          .warning("the timestamps of the input went back; they continue from the last one")))
    }
    rate.add(item.bytes, at: item.time)
    report(queue.add(item, isUnpaced ? .keepAll : isRunning ? .thin : .outage))
  }

  /// Returns whether the connection in use has a place for a track; without a connection, whether a stream can have
  /// one.
  private func isCarried(_ track: Int) -> Bool {
    guard let places = link?.places else { return true }
    return places[track] != nil || next?.places?[track] != nil
  }

  /// Records that the input has ended, or can no longer be read.
  mutating func offerEnd(_ end: SourceEnd) {
    if sourceEnd == nil { sourceEnd = end }
  }

  /// Whether the queue takes more without being about to drop something.
  var hasRoom: Bool {
    isUnpaced ? queue.bytes < queue.limits.bytes / 4 : queue.fullness < 0.25
  }

  mutating func report(_ drops: [Drop]) {
    for drop in drops {
      statistics.drops[drop.kind, default: 0] += drop.samples
      statistics.droppedBytes += drop.bytes
      actions.append(.report(.dropped(drop)))
    }
  }

  /// Passes on as much as the connection can take, in one action.
  mutating func send(unsent: Int, at now: Int64) {
    guard phase == .streaming else { return }
    do {
      var output: [OutgoingTag] = []
      var room = window - unsent
      while room > 0, isRunning, !queue.isEmpty {
        if next?.isRunning == true, videoTrack == nil || isBeginning(queue.first) {
          flush(&output)
          changeOver()
          continue
        }
        guard let item = queue.take() else { break }
        guard canBeSent(item) else {
          var drops: [Drop] = []
          drops.add(.outage, bytes: item.bytes, time: item.time / 1_000_000)
          report(drops)
          continue
        }
        let tags = try tags(of: item)
        room -= tags.reduce(0) { $0 + $1.count }
        output += tags
      }
      flush(&output)
    } catch {
      sourceEnd = .failed(MediaError(error))
      outcome = outcome ?? MediaError(error)
      close(at: now)
    }
  }

  private func isBeginning(_ item: StreamItem?) -> Bool {
    guard let item else { return false }
    return item.isRandomAccess && item.track == videoTrack
  }

  /// Returns whether an item is useful to a receiver that sees only this connection: nothing is sent before the key
  /// frame with which a stream is resumed, and nothing of a further video track before a key frame of that track.
  private mutating func canBeSent(_ item: StreamItem) -> Bool {
    guard let track = item.track else { return true }
    if link?.tags == nil, hasSent, videoTrack != nil, !isBeginning(item) { return false }
    guard item.picture != nil, track != videoTrack else { return true }
    if item.isRandomAccess { link?.begun.insert(track) }
    return link?.begun.contains(track) == true
  }

  private mutating func flush(_ output: inout [OutgoingTag]) {
    guard let link, !output.isEmpty else { return }
    actions.append(.send(link.id, output))
    if link.unsent == 0 { self.link?.unsent = 1 }
    output = []
  }

  /// Switches to the connection that the server asked for; the key frame that follows is its first.
  private mutating func changeOver() {
    guard let new = next, let old = link else { return }
    sayEnd()
    actions.append(.end(old.id))
    link = new
    next = nil
  }

  private mutating func tags(of item: StreamItem) throws -> [OutgoingTag] {
    switch item.event {
    case .format(let track, let format): return try change(track, to: format)
    case .sample(var sample):
      var opening: [OutgoingTag] = []
      if link?.tags == nil { opening = try open(at: item.time / 1_000_000) }
      if item.followsGap {
        sample = try BrokenLink.opening(sample, tracks[sample.track].format)
      }
      // Done in place, because a copy of `link.tags` would copy everything that it holds.
      guard let tags = try link?.tags?.tags(of: sample, sharing: item.shared), !tags.isEmpty else {
        return opening
      }
      // Parameter sets in a sample change the format, and get separate tags.
      if tags.count > 1, let changed = link?.tags?.formats {
        for (track, format) in changed { tracks[track].format = format }
      }
      if opening.isEmpty, tags.contains(where: { $0.type == .script && $0.isSetup }) {
        actions.append(.report(.configuration(item.time / 1_000_000)))
      }
      hasSent = true
      statistics.samples += 1
      statistics.bytes += item.bytes
      statistics.time = max(statistics.time, item.time / 1_000_000)
      return opening + tags
    }
  }

  private mutating func open(at time: Int64) throws -> [OutgoingTag] {
    guard let link else { return [] }
    var packets = Packetizer.Options()
    packets.dialect = link.dialect
    packets.keepsInBandSets = options.keepsInBandSets
    packets.writesNanoseconds =
      link.dialect == .enhanced
      && link.facts?.capabilities?.extras.contains([.modEx, .nanoseconds]) == true
    packets.metadata = details.flashTags
    packets.metadata["encoder"] = "Apus"
    let isMultitrack = link.places?.contains { $0.map { $0.id > 0 } ?? false } == true
    let placement = FLVPlacement(
      tracks, link.dialect ?? .enhanced, isMultitrack: isMultitrack)
    var tags = try StreamTags(placement, packets, repeats: options.repeatsConfiguration)
    let opening = try tags.opening(at: time)
    self.link?.tags = tags
    actions.append(.report(.publishing(link.address, link.dialect, from: time)))
    return opening
  }

  private mutating func change(_ track: Int, to format: CodedTrack.Format) throws
    -> [OutgoingTag]
  {
    tracks[track].format = format
    guard isCarried(track), var tags = link?.tags else { return [] }
    let changed = try tags.change(track, to: format)
    link?.tags = tags
    actions.append(.report(.configuration(statistics.time)))
    return changed
  }
}
