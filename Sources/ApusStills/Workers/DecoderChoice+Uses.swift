// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusIntra
internal import ApusMedia
public import HEIF

extension DecoderChoice {
  /// Returns the decoders of a picture's sources. For sources with the same configuration, only the headers of the
  /// first are read.
  public func uses(for plan: PicturePlan) -> [CodecUse] {
    var uses: [CodecUse] = []
    var known: [Configuration: CodecUse] = [:]
    let intra = IntraDecoder()
    for source in [plan] + plan.alpha {
      for source in source.sources {
        let configuration = Configuration(
          codec: source.codec, bytes: source.configuration, samples: source.samples.count)
        let use = known[configuration] ?? use(for: source, intra)
        known[configuration] = use
        uses.add(use)
      }
    }
    return uses
  }

  /// Returns the decoder of each item from which a picture is made, keyed by item ID. The headers of every item are
  /// read.
  public func usesByItem(for plan: PicturePlan) -> [UInt32: CodecUse] {
    var uses: [UInt32: CodecUse] = [:]
    let intra = IntraDecoder()
    for source in plan.sources {
      if let item = source.item { uses[item] = use(for: source, intra) }
    }
    return uses
  }

  private struct Configuration: Hashable {
    var codec: PictureCodec
    var bytes: [UInt8]
    var samples: Int
  }

  private func use(for source: PlannedSource, _ intra: IntraDecoder) -> CodecUse {
    let library = library(for: source.codec)
    guard library == .automatic else { return CodecUse(name: library.name) }
    do throws(SyntaxError) {
      let refusal = intra.refusal(of: try source.loaded())
      if let refusal, refusal.kind == .unsupported {
        return CodecUse(name: DecoderLibrary.libavcodec.name, reason: refusal.message)
      }
    } catch {
      // Unreadable data is rejected by the decoder.
    }
    return CodecUse(name: DecoderLibrary.intra.name)
  }
}
