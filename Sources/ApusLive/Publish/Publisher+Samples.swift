// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusMedia
internal import ApusSamples
internal import ApusThreads
internal import FLV
internal import RTMP

/// The path of the samples: from the input to the queue at their time, and from there to the connection.
extension Publisher {
  /// Adds an item to the queue.
  mutating func offer(_ item: StreamItem) {
    guard !isOver, sourceEnd == nil else { return }
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
    switch state {
    case .streaming(let link), .moving(let link, .attempt): link.places[track] != nil
    case .moving(let link, .link(let next)): link.places[track] != nil || next.places[track] != nil
    case .waiting, .connecting, .closing, .finished: true
    }
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

  /// Passes on as much as the connection in use can take, in one action.
  mutating func send(unsent: Int, at now: Int64) {
    guard var (link, next) = use else { return }
    if unsent < link.unsent || unsent == 0 || link.unsent == 0 { link.progressAt = now }
    link.unsent = unsent
    guard now - link.progressAt < Self.stall, !queue.isHopeless else {
      actions.append(.abort(link.id))
      return lose("the server stopped accepting data", isFinal: false, at: now)
    }
    // The connection is changed in place, because a copy would be one of everything that its tags hold.
    state = .finished
    var failure: MediaError?
    do {
      var output: [OutgoingTag] = []
      var room = window - unsent
      while room > 0, let first = queue.first {
        if case .link(let successor) = next, videoTrack == nil || isBeginning(first) {
          flush(&output, over: &link)
          end(link)
          (link, next) = (successor, nil)
          continue
        }
        guard let item = queue.take() else { break }
        guard canBeSent(item, over: &link) else {
          var drops: [Drop] = []
          drops.add(.outage, bytes: item.bytes, time: .nanoseconds(item.time))
          report(drops)
          continue
        }
        let tags = try tags(of: item, over: &link)
        room -= tags.reduce(0) { $0 + $1.count }
        output += tags
      }
      flush(&output, over: &link)
    } catch {
      failure = MediaError(error)
    }
    state = next.map { .moving(link, to: $0) } ?? .streaming(link)
    guard let failure else { return }
    sourceEnd = .failed(failure)
    outcome = outcome ?? failure
    close(at: now)
  }

  private func isBeginning(_ item: StreamItem) -> Bool {
    item.isRandomAccess && item.track == videoTrack
  }

  /// Returns whether an item is useful to a receiver that sees only this connection: nothing is sent before the key
  /// frame with which a stream is resumed, and nothing of a further video track before a key frame of that track.
  private func canBeSent(_ item: StreamItem, over link: inout Link) -> Bool {
    guard let track = item.track else { return true }
    if link.tags == nil, hasSent, videoTrack != nil, !isBeginning(item) { return false }
    guard item.picture != nil, track != videoTrack else { return true }
    if item.isRandomAccess { link.begun.insert(track) }
    return link.begun.contains(track)
  }

  private mutating func flush(_ output: inout [OutgoingTag], over link: inout Link) {
    guard !output.isEmpty else { return }
    actions.append(.send(link.id, output))
    if link.unsent == 0 { link.unsent = 1 }
    output = []
  }

  private mutating func tags(of item: StreamItem, over link: inout Link) throws -> [OutgoingTag] {
    switch item.event {
    case .format(let track, let format):
      tracks[track].format = format
      guard link.places[track] != nil, let tags = try link.tags?.change(track, to: format) else {
        return []
      }
      actions.append(.report(.configuration(statistics.time)))
      return tags
    case .sample(var sample):
      var opening: [OutgoingTag] = []
      if link.tags == nil { opening = try open(&link, at: item.time / 1_000_000) }
      if item.followsGap {
        sample = try BrokenLink.opening(sample, tracks[sample.track].format)
      }
      guard let tags = try link.tags?.tags(of: sample, sharing: item.shared), !tags.isEmpty else {
        return opening
      }
      // Parameter sets in a sample change the format, and get separate tags.
      if tags.count > 1, let changed = link.tags?.formats {
        for (track, format) in changed { tracks[track].format = format }
      }
      if opening.isEmpty, tags.contains(where: { $0.type == .script && $0.isSetup }) {
        actions.append(.report(.configuration(.nanoseconds(item.time))))
      }
      hasSent = true
      statistics.samples += 1
      statistics.bytes += item.bytes
      statistics.time = max(statistics.time, .milliseconds(item.time / 1_000_000))
      return opening + tags
    }
  }

  private mutating func open(_ link: inout Link, at time: Int64) throws -> [OutgoingTag] {
    var packets = Packetizer.Options()
    packets.dialect = link.dialect
    packets.keepsInBandSets = options.keepsInBandSets
    packets.writesNanoseconds =
      link.dialect == .enhanced
      && link.facts.capabilities?.extras.contains([.modEx, .nanoseconds]) == true
    packets.metadata = details.flashTags
    packets.metadata["encoder"] = "Apus"
    let isMultitrack = link.places.contains { $0.map { $0.id > 0 } ?? false }
    let placement = FLVPlacement(
      tracks, link.dialect ?? .enhanced, isMultitrack: isMultitrack)
    var tags = try StreamTags(placement, packets, repeats: options.repeatsConfiguration)
    let opening = try tags.opening(at: time)
    link.tags = tags
    actions.append(
      .report(.publishing(link.attempt.address, link.dialect, from: .milliseconds(time))))
    return opening
  }
}
