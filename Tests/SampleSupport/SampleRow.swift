// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
public import ApusSamples

/// Presentation and decoding time in units of the track, size, and K for a key frame, as ffprobe prints them.
public struct SampleRow: Hashable, CustomStringConvertible {
  public var presentation: Int64
  public var decoding: Int64
  public var size: Int
  public var isSync: Bool

  public var description: String { "\(presentation),\(decoding),\(size),\(isSync ? "K" : "_")" }

  public static func rows(_ text: String) -> [String] {
    text.split(separator: ";").map(String.init)
  }

  public init(_ sample: CodedSample) {
    presentation = sample.presentationTime.value
    decoding = sample.decodeTime.value
    size = sample.payload.count
    isSync = sample.isSync
  }
}

extension SampleSource {
  /// Everything that is left.
  public mutating func rest() throws -> [SourceEvent] {
    var events: [SourceEvent] = []
    while let event = try next() { events.append(event) }
    return events
  }

  public mutating func samples(of track: Int) throws -> [CodedSample] {
    try rest().compactMap {
      if case .sample(let sample) = $0, sample.track == track { sample } else { nil }
    }
  }
}
