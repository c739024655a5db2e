// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
internal import ApusSamples

/// The properties of a stream's times, from its first packets.
struct ForeignSurvey {
  let missing: PictureTimes.Missing

  init(_ stream: ForeignStream, _ packets: [ForeignPacket]) {
    guard stream.kind == .video, ForeignCodec.reorders(stream), !packets.isEmpty else {
      missing = .nothing
      return
    }
    let shown = packets.compactMap(\.presentationTime)
    let lacksShown = shown.count < packets.count
    if lacksShown, ["hevc", "h264"].contains(stream.codec) {
      missing = .presentation(delay: shown.isEmpty ? stream.reorderDepth : 0)
    } else if !lacksShown, Self.hasBrokenDecoding(packets) {
      missing = .decoding(delay: min(Self.delay(of: shown, stream), OutputOrder.most))
    } else {
      missing = .nothing
    }
  }

  /// Returns whether decoding times are missing, do not increase, or are later than presentation.
  private static func hasBrokenDecoding(_ packets: [ForeignPacket]) -> Bool {
    var last: Int64?
    for packet in packets {
      guard let decode = packet.decodeTime, let shown = packet.presentationTime else { return true }
      // A jump of the container's clock does not depend on the order of its pictures.
      if let last, decode <= last, last - decode < 10 { return true }
      if shown < decode { return true }
      last = decode
    }
    return false
  }

  /// Returns the number of pictures by which decoding has to precede presentation.
  private static func delay(of shown: [Int64], _ stream: ForeignStream) -> Int {
    let sorted = shown.indices.sorted { (shown[$0], $0) < (shown[$1], $1) }
    var delay = stream.reorderDepth
    for (place, index) in sorted.enumerated() { delay = max(delay, index - place) }
    return delay
  }

  /// Gives the first picture of each stream a presentation time where libavformat has lost it, as it does over RTP: nothing
  /// is shown before a picture that decoding begins with.
  static func date(_ packets: inout [ForeignPacket], of streams: [Int]) {
    for stream in streams {
      let places = packets.indices.filter { packets[$0].stream == stream }
      guard let first = places.first, packets[first].presentationTime == nil else { continue }
      let shown = places.compactMap { packets[$0].presentationTime }.sorted()
      let step = zip(shown.dropFirst(), shown).map { $0 - $1 }.filter { $0 > 0 }.min()
      guard let earliest = shown.first, let step else { continue }
      packets[first].presentationTime = earliest - step
    }
  }
}
