// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples

/// A trial of the first packets of a foreign container, which shows the streams whose samples can be read.
struct ForeignTrial {
  /// The indices of the streams that can be read.
  private(set) var kept: [Int] = []
  /// The indices of the streams that are left out; `warnings` has the reasons.
  private(set) var refused: [Int] = []
  private(set) var warnings: [String] = []
  /// The first sample of each stream, by the index of the stream.
  private(set) var firsts: [Int: ForeignSample] = [:]

  /// - Parameter isWhole: whether the packets are all that the container has.
  init(
    of wanted: [Int], in streams: [ForeignStream], _ packets: [ForeignPacket], isWhole: Bool,
    limits: Limits
  ) throws {
    for index in wanted {
      let stream = streams[index]
      var trial = ForeignPayload(stream, limits: limits)
      do {
        for packet in packets where packet.stream == index && trial.format == nil {
          let samples = try trial.samples(of: packet)
          if trial.format != nil { firsts[index] = samples.first }
        }
      } catch {
        guard stream.kind != .video else { throw error }
        warnings.append(
          "\(ForeignCodec.name(of: stream)) is left out: \(MediaError(error).message)")
        refused.append(index)
        continue
      }
      if trial.format != nil || (stream.kind == .video && !isWhole) {
        kept.append(index)
      } else if stream.kind != .subtitle {
        warnings.append("\(ForeignCodec.name(of: stream)) has no samples and is left out")
        refused.append(index)
      }
    }
  }
}
