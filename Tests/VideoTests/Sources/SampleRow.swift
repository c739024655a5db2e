// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusSamples

/// Presentation and decoding time in units of the track, size, and K for a key frame, as ffprobe prints them.
struct SampleRow: Hashable, CustomStringConvertible {
  var presentation: Int64
  var decoding: Int64
  var size: Int
  var isSync: Bool

  var description: String { "\(presentation),\(decoding),\(size),\(isSync ? "K" : "_")" }

  static func rows(_ text: String) -> [String] { text.split(separator: ";").map(String.init) }

  init(_ sample: CodedSample) {
    presentation = sample.presentationTime.value
    decoding = sample.decodeTime.value
    size = sample.payload.count
    isSync = sample.isSync
  }
}

extension SampleSource {
  /// Everything that is left.
  mutating func rest() throws -> [SourceEvent] {
    var events: [SourceEvent] = []
    while let event = try next() { events.append(event) }
    return events
  }

  mutating func samples(of track: Int) throws -> [CodedSample] {
    try rest().compactMap {
      if case .sample(let sample) = $0, sample.track == track { sample } else { nil }
    }
  }
}
