// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
package import ApusSamples
internal import ISOBMFF

/// Uncompressed sound, or sound with one byte for each number: its name in QuickTime, and what movies need to hold it.
/// There each moment is a sample, while other containers have any number of them in a packet.
package struct UncompressedSound: Sendable {
  private let code: FourCC
  /// The layout of its numbers; `nil` for those of G.711.
  private let form: PCMForm?
  /// The size in bytes of one moment of all channels.
  private let frameSize: Int
  private let sampleRate: Int64
  /// The time at which the last sample ended, in moments.
  private var next: Int64?

  /// The size in bytes of a number, by QuickTime's names.
  private static let sizes: [FourCC: Int] = ["alaw": 1, "ulaw": 1, "sowt": 2, "twos": 2]

  /// Returns `nil` for other sound; older movies use the same names for 8 bits and more.
  package init?(_ track: CodedTrack) {
    guard track.kind == .audio, case .other(let code, _) = track.format else { return nil }
    let entries = track.details.sampleEntries
    self.code = code
    sampleRate = Int64(track.sampleRate)
    if let size = Self.sizes[code],
      entries.allSatisfy({
        ($0.node.box as? AudioSampleEntry).map { $0.sound.sampleSize == 16 || size == 1 } ?? false
      })
    {
      form = size == 1 ? nil : PCMForm(isLittleEndian: code == "sowt", track)
      frameSize = size * max(1, track.channels)
    } else if entries.isEmpty, let form = PCMForm(track) {
      self.form = form
      frameSize = form.bits / 8 * form.channels
    } else {
      return nil
    }
  }

  /// Units in which its times are exact; `nil` where its rate is unknown.
  var timescale: UInt32? { sampleRate > 0 ? UInt32(exactly: sampleRate) : nil }

  /// Returns the sample entry: QuickTime's, or `ipcm` and `fpcm` (ISO/IEC 23003-5).
  func node(in style: MovieStyle, _ track: CodedTrack) throws -> Node {
    if style == .mp4 {
      guard let form else {
        throw VideoEntry.failure(
          track, "has a sample entry that only QuickTime files (mov) support")
      }
      if let reason = form.refusal { throw VideoEntry.failure(track, reason) }
      return form.entry
    }
    guard timescale != nil else { throw VideoEntry.failure(track, "has no sample rate") }
    let isNamed = Self.sizes[code] != nil && sampleRate <= 0xffff
    if let form, !isNamed { return form.quickTimeEntry }
    guard isNamed else {
      throw VideoEntry.failure(track, "has \(sampleRate) samples per second, more than 65535")
    }
    var audio = AudioSampleEntry()
    audio.sound.channelCount = UInt16(clamping: track.channels)
    audio.sound.sampleRate = UInt32(clamping: sampleRate) << 16
    return Node(code, audio)
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
