// SPDX-License-Identifier: MIT

internal import Bytes
package import Flow
internal import ISOBMFF
internal import Media

/// Sound without compression, or a byte for each number: how QuickTime calls it, and what movies need to hold it.
/// Each moment is a sample there, while other containers have as many in a packet as they like.
package struct UncompressedSound: Sendable {
  private let code: FourCC
  /// Bytes of one moment of all channels.
  private let frameSize: Int
  private let sampleRate: Int64
  /// The time at which the last sample ended, in moments.
  private var next: Int64?

  /// Bytes of a number, by QuickTime's names.
  private static let sizes: [FourCC: Int] = ["alaw": 1, "ulaw": 1, "sowt": 2, "twos": 2]

  /// Returns `nil` where it is no such sound; older movies have 8 bits and more under the same names.
  package init?(_ track: CodedTrack) {
    guard track.kind == .audio, case .other(let code, _) = track.format,
      let size = Self.sizes[code],
      track.details.sampleEntries.allSatisfy({
        ($0.node.box as? AudioSampleEntry).map { $0.sound.sampleSize == 16 || size == 1 } ?? false
      })
    else { return nil }
    self.code = code
    frameSize = size * max(1, track.channels)
    sampleRate = Int64(track.sampleRate)
  }

  static func isKnown(_ code: FourCC) -> Bool { sizes[code] != nil }

  /// Units in which its times are exact; `nil` where its rate is not known, or is none that sample entries can say.
  var timescale: UInt32? { sampleRate > 0 ? UInt16(exactly: sampleRate).map(UInt32.init) : nil }

  /// The sample entry but for what the sound fields say: QuickTime's, or `ipcm` (ISO/IEC 23003-5).
  func entry(in style: MovieStyle) -> (type: FourCC, boxes: [Node])? {
    guard style != .quickTime else { return (code, []) }
    guard code == "sowt" || code == "twos" else { return nil }
    var configuration = PCMConfiguration()
    configuration.formatFlags = code == "sowt" ? 1 : 0
    return ("ipcm", [Node("pcmC", configuration)])
  }

  /// How many moments a sample is whose duration says it too; `nil` for one, and where it does not.
  func count(in sample: NewSample) -> Int? {
    guard let duration = sample.duration.flatMap({ Int(exactly: $0) }), sample.count == 1,
      2...Int(UInt16.max) ~= duration, sample.payload.count == duration * frameSize
    else { return nil }
    return duration
  }

  /// Makes moments of a packet, each of which lasts one unit. What begins a little before or after the end of the one
  /// before it was rounded, and begins there.
  mutating func divide(_ sample: inout NewSample) throws {
    let (count, rest) = sample.payload.count.quotientAndRemainder(dividingBy: frameSize)
    guard count > 0, rest == 0, count <= UInt16.max else {
      throw SyntaxError(
        .unsupported, field: "\(code)", offset: sample.payload.range.lowerBound,
        detail: "has a packet of \(sample.payload.count) bytes, allowed are 1 to \(UInt16.max) "
          + "times \(frameSize)")
    }
    if let next, sample.decodeTime < next + max(1, sampleRate / 20) { sample.decodeTime = next }
    sample.compositionOffset = 0
    sample.duration = Int64(count)
    sample.count = count
    next = sample.decodeTime + Int64(count)
  }
}
