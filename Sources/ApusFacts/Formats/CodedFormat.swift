// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import HEVC
internal import ISOBMFF

/// The facts of a codec's configuration about its pictures, from a sample entry or an item's properties.
public struct CodedFormat: Hashable, Sendable {
  /// The profile as text, such as `Main 10`; `nil` where unknown.
  public var profile: String?
  /// The tier as text, such as `High`; `nil` where unknown or if the codec has none.
  public var tier: String?
  /// The level as text, such as `5.1`; `nil` where unknown.
  public var level: String?
  /// The chroma format: `4:2:0` and so on.
  public var chroma: String?
  /// The number of bits of a sample, the greater of luma and chroma; `nil` where unknown.
  public var bitDepth: Int?

  init() {}

  /// - Parameter headers: the parameter sets of HEVC, which take precedence if there are any.
  init(_ boxes: [Node], _ headers: StreamHeaders?) {
    let layers: Set<FourCC> = ["hvcE", "avcE"]
    for node in boxes where !layers.contains(node.type) {
      guard let box = node.box, let format = CodedFormat(box, headers) else { continue }
      self = format
      return
    }
  }

  /// Returns `nil` for a box that does not configure pictures.
  init?(_ box: any Box, _ headers: StreamHeaders? = nil) {
    switch box {
    case let hevc as HEVCConfiguration:
      self = headers?.baseSequences.first.map(CodedFormat.init) ?? CodedFormat(hevc.record)
    case let avc as AVCConfiguration: self = CodedFormat(avc)
    case let av1 as AV1Configuration:
      let sampling = (av1.monochrome, av1.chromaSubsamplingX, av1.chromaSubsamplingY)
      chroma = sampling.0 ? "4:0:0" : sampling.1 ? (sampling.2 ? "4:2:0" : "4:2:2") : "4:4:4"
      bitDepth = av1.highBitdepth ? (av1.twelveBit ? 12 : 10) : 8
      let profiles = ["Main", "High", "Professional"]
      profile = profiles.indices.contains(Int(av1.seqProfile)) ? profiles[Int(av1.seqProfile)] : nil
      // AV1, A.3: levels from 24 on are reserved, and 31 sets no limits.
      let index = av1.seqLevelIndex0
      level = index < 24 ? "\(2 + (index >> 2)).\(index & 3)" : nil
    case let vp as VPConfiguration:
      chroma = vp.chromaSubsampling < 2 ? "4:2:0" : vp.chromaSubsampling == 2 ? "4:2:2" : "4:4:4"
      bitDepth = Int(vp.bitDepth)
      profile = "Profile \(vp.profile)"
      level = vp.level > 0 ? "\(vp.level / 10).\(vp.level % 10)" : nil
    case let apv as APVConfiguration:
      guard let frame = apv.primary else { return nil }
      let chroma: [UInt8: String] = [0: "4:0:0", 2: "4:2:2", 3: "4:4:4", 4: "4:4:4:4"]
      self.chroma = chroma[frame.chromaFormatIDC]
      bitDepth = 8 + Int(frame.bitDepthMinus8)
      let names: [UInt8: String] = [
        33: "422-10", 44: "422-12", 55: "444-10", 66: "444-12", 77: "4444-10", 88: "4444-12",
        99: "400-10",
      ]
      profile = names[frame.profileIDC]
      level = (Double(frame.levelIDC) / 30).decimal(places: 0...1)
    case let vvc as VVCConfiguration where vvc.hasProfile:
      chroma = ChromaFormat.name(of: vvc.chromaFormatIDC)
      bitDepth = 8 + Int(vvc.bitDepthMinus8)
      // H.266, A.3 and A.4: each level is 16, each sublevel 3.
      let names: [UInt8: String] = [1: "Main 10", 17: "Multilayer Main 10", 33: "Main 10 4:4:4"]
      profile = names[vvc.profile.idc]
      tier = vvc.profile.isHighTier ? "High" : "Main"
      level = "\(vvc.profile.levelIDC / 16).\(vvc.profile.levelIDC % 16 / 3)"
    default: return nil
    }
  }

  init(_ avc: AVCConfiguration) {
    if let sequence = avc.firstSequence {
      self = CodedFormat(sequence)
      return
    }
    // Profiles below High do not state them: they have 8 bits and 4:2:0.
    chroma = ChromaFormat.name(of: (avc.highProfile?.chromaFormat ?? 1) & 3)
    bitDepth = 8 + Int(avc.highProfile?.bitDepthLumaMinus8 ?? 0)
  }

  init(_ sequence: AVCSequenceParameterSet) {
    profile = sequence.profileName
    level = sequence.levelName
    chroma = ChromaFormat.name(of: sequence.format.chromaFormatIDC)
    bitDepth =
      8 + Int(max(sequence.format.bitDepthLumaMinus8, sequence.format.bitDepthChromaMinus8))
  }

  init(_ record: DecoderConfigurationRecord) {
    profile = record.profileName
    tier = record.tierName
    level = record.levelName
    chroma = record.chromaFormatName
    bitDepth = max(record.bitDepthLuma, record.bitDepthChroma)
  }

  init(_ sps: SequenceParameterSet) {
    profile = sps.profileTierLevel.profileName
    tier = sps.profileTierLevel.tierName
    level = sps.profileTierLevel.levelName
    chroma = sps.chromaFormatName
    bitDepth = max(sps.bitDepthLuma, sps.bitDepthChroma)
  }
}

extension CodedFormat: Described {
  package static let title = "format"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == CodedFormat {
    v.optional("profile", "The name of the profile.") { $0.profile }
    v.optional("tier", "The tier of HEVC.") { $0.tier }
    v.optional("level", "The number of the level: `4.1`.") { $0.level }
    v.optional("chroma", "The chroma subsampling: `4:2:0`.") { $0.chroma }
    v.optional("bit_depth", "Bits per sample.") { $0.bitDepth }
  }
}
