// SPDX-License-Identifier: MIT

internal import Bytes
public import HEIF
internal import Intra
internal import Media

/// Who decodes pictures, and why.
public struct DecoderUse: Hashable, Sendable {
  /// The library and its version; without one where it was not loaded.
  public var name: String
  public var pictures = 1
  /// Why our own decoder did not take them, where it was asked.
  public var reason: String?

  public init(name: String, pictures: Int = 1, reason: String? = nil) {
    self.name = name
    self.pictures = pictures
    self.reason = reason
  }
}

extension [DecoderUse] {
  mutating func add(_ use: DecoderUse) {
    if let index = firstIndex(where: { $0.name == use.name && $0.reason == use.reason }) {
      self[index].pictures += use.pictures
    } else {
      append(use)
    }
  }
}

extension DecoderChoice {
  /// Who would decode the sources of a picture. Of those with one configuration the headers of the first are read.
  public func uses(for plan: PicturePlan) -> [DecoderUse] {
    var uses: [DecoderUse] = []
    var known: [Configuration: DecoderUse] = [:]
    for source in [plan] + plan.alpha {
      for source in source.sources {
        let configuration = Configuration(
          codec: source.codec, bytes: source.configuration, samples: source.samples.count)
        let use = known[configuration] ?? use(for: source)
        known[configuration] = use
        uses.add(use)
      }
    }
    return uses
  }

  private struct Configuration: Hashable {
    var codec: PictureCodec
    var bytes: [UInt8]
    var samples: Int
  }

  private func use(for source: PlannedSource) -> DecoderUse {
    let library = library(for: source.codec)
    guard library == .automatic else { return DecoderUse(name: library.name) }
    do throws(SyntaxError) {
      let refusal = IntraDecoder().refusal(of: try source.loaded())
      if let refusal, refusal.kind == .unsupported {
        return DecoderUse(name: DecoderLibrary.libavcodec.name, reason: refusal.message)
      }
    } catch {
      // What cannot be read is refused by whoever is to decode it.
    }
    return DecoderUse(name: DecoderLibrary.intra.name)
  }
}
