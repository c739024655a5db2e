// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
package import ApusSamples
internal import ISOBMFF

/// Uncompressed sound, or sound with one byte for each number: its name in QuickTime, and what movies need to hold it.
/// There each moment is a sample, while other containers have any number of them in a packet.
package struct UncompressedSound: Sendable {
  private let code: FourCC
  /// The size in bytes of one moment of all channels.
  private let frameSize: Int
  private let sampleRate: Int64
  /// The time at which the last sample ended, in moments.
  private var next: Int64?

  /// The size in bytes of a number, by QuickTime's names.
  private static let sizes: [FourCC: Int] = ["alaw": 1, "ulaw": 1, "sowt": 2, "twos": 2]

  /// Returns `nil` for other sound; older movies use the same names for 8 bits and more.
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

  /// Units in which its times are exact; `nil` where its rate is unknown or does not fit a sample entry.
  var timescale: UInt32? { sampleRate > 0 ? UInt16(exactly: sampleRate).map(UInt32.init) : nil }

  /// Returns the type of the sample entry, QuickTime's or `ipcm` (ISO/IEC 23003-5), and its boxes; the fields for sound
  /// are not included.
  func entry(in style: MovieStyle) -> (type: FourCC, boxes: [Node])? {
    guard style != .quickTime else { return (code, []) }
    guard code == "sowt" || code == "twos" else { return nil }
    var configuration = PCMConfiguration()
    configuration.formatFlags = code == "sowt" ? 1 : 0
    return ("ipcm", [Node("pcmC", configuration)])
  }

  /// Returns the number of moments in a packet that is still one sample, if its duration and its size agree; `nil`
  /// otherwise, and where it holds only one.
  func count(in sample: NewSample) -> Int? {
    guard let duration = sample.duration.flatMap({ Int(exactly: $0) }), sample.count == 1,
      2...Int(UInt16.max) ~= duration, sample.payload.count == duration * frameSize
    else { return nil }
    return duration
  }

  /// Divides a packet into moments, each of which lasts one unit. A packet that begins slightly before or after the end
  /// of the previous one has a rounded time, and is moved to that end.
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
