// SPDX-License-Identifier: MIT

internal import AVC
package import ApusBytes
internal import ApusMedia
public import HEVC
public import ISOBMFF

extension CodecString {
  /// The `codecs` parameter of a sample entry: RFC 6381 and the bindings of each codec. It is only the type if there is
  /// nothing to add, or the configuration cannot be read.
  public static func of(_ entry: TrackSampleEntry) -> String {
    let type = entry.codingType
    if let subtitles = entry.node.box as? XMLSubtitleSampleEntry { return text(of: subtitles) }
    let isDolby = type.description.hasPrefix("dv") || type == "dav1"
    // QuickTime puts the configuration of sound into `wave`.
    let boxes = entry.node.children
    for box in boxes + boxes.filter({ $0.type == "wave" }).flatMap(\.children) {
      switch box.box {
      case let vision as DolbyVisionConfiguration where isDolby:
        return dolbyVision(
          sampleEntry: type.description, profile: vision.profile, level: vision.level)
      case is AV1Configuration where isDolby: break
      case let hevc as HEVCConfiguration where box.type == "hvcC" && !isDolby:
        return hevc.record.codecString(sampleEntry: type.description)
      case let other?:
        if let text = text(of: other, type) { return text }
      case nil: break
      }
    }
    if ["Opus", "fLaC"].contains(type) { return type.description.lowercased() }
    return type.description.trimmed
  }

  /// Returns other codecs that a more capable player may use for the samples: Dolby Vision on top of another codec, and
  /// the profile of the layers above the base layer.
  public static func supplemental(
    _ entry: TrackSampleEntry, headers: HeadersReader = HeadersReader()
  ) -> [String] {
    let type = entry.codingType.description
    var strings: [String] = []
    for box in entry.node.children {
      if let vision = box.box as? DolbyVisionConfiguration, let dolby = dolbyTypes[type] {
        strings.append(
          dolbyVision(sampleEntry: dolby, profile: vision.profile, level: vision.level))
      }
      guard let record = (box.box as? HEVCConfiguration)?.record else { continue }
      for video in headers.headers(of: record).videos.map(\.payload) where video.vpsExtensionFlag {
        let profile = video.vpsExtension.additionalProfiles.last(where: \.vpsProfilePresentFlag)
        guard let profile else { continue }
        strings.append(profile.profileTierLevel.codecString(sampleEntry: type))
      }
    }
    return strings
  }

  /// The codec types of Dolby's sample entries, with those of the base codecs: Dolby Vision Streams within the ISO Base
  /// Media File Format.
  package static let dolbyTypes = [
    "hvc1": "dvh1", "hev1": "dvhe", "avc1": "dva1", "avc3": "dvav", "av01": "dav1",
  ]

  /// Returns the codec string of an item, whose type replaces that of the sample entry.
  package static func of(_ properties: [Node], type: FourCC) -> String {
    for property in properties {
      if let hevc = property.box as? HEVCConfiguration {
        return hevc.record.codecString(sampleEntry: type.description)
      }
      if let text = property.box.flatMap({ text(of: $0, type) }) { return text }
    }
    return type.description.trimmed
  }

  /// Returns the string of MPEG-4 audio with an `AudioSpecificConfig`.
  package static func aac(_ specific: [UInt8]) -> String {
    (try? AudioSpecificConfig(specific)).map { "mp4a.40.\($0.playedObjectType)" } ?? "mp4a.40"
  }

  /// Returns the string of a codec with the box that configures it; `nil` if the type alone is enough.
  package static func text(of box: any Box, _ type: FourCC) -> String? {
    switch box {
    case let avc as AVCConfiguration where type.description.hasPrefix("avc"):
      let bytes = [avc.profileIndication, avc.profileCompatibility, avc.levelIndication]
      return "\(type)." + bytes.map { padded($0, 16) }.joined()
    case let av1 as AV1Configuration:
      let depth = av1.highBitdepth ? (av1.twelveBit ? 12 : 10) : 8
      let start =
        "\(type).\(av1.seqProfile).\(padded(av1.seqLevelIndex0))\(av1.seqTier0 ? "H" : "M")."
        + padded(UInt8(depth))
      return start + optional(of: av1)
    case let vp as VPConfiguration:
      let start = "\(type).\(padded(vp.profile)).\(padded(vp.level)).\(padded(vp.bitDepth))"
      return start + optional(of: vp)
    case let vvc as VVCConfiguration: return text(of: vvc, type)
    case let ac4 as AC4Specific:
      guard let first = ac4.presentations.first else { return nil }
      let level = first.config == 6 ? 0 : first.compatibility
      let parts = [ac4.bitstreamVersion, first.version, level]
      return ([type.description] + parts.map { padded($0, 16).lowercased() }).joined(separator: ".")
    case let apv as APVConfiguration:
      // ISOBMFF binding for APV, "Codecs parameter".
      return apv.primary.map {
        "\(type).apvf\($0.profileIDC).apvl\($0.levelIDC).apvb\($0.bandIDC)"
      }
    case let audio as ImmersiveAudioConfiguration:
      guard let summary = audio.summary else { return nil }
      let profiles = [summary.primaryProfile, summary.additionalProfile].map { number in
        let digits = String(number)
        return String(repeating: "0", count: 3 - digits.utf8.count) + digits
      }
      // The only object type allowed there: Immersive Audio Model and Formats 1.0, 6.3.
      let codec = summary.codec == "mp4a" ? "mp4a.40.2" : summary.codec.description.trimmed
      return "\(type).\(profiles.joined(separator: ".")).\(codec)"
    case let stream as ElementaryStreamDescription:
      return stream.decoder.map { decoder in
        let text = "\(type).\(padded(decoder.objectTypeIndication, 16).lowercased())"
        guard decoder.objectTypeIndication == 0x40, let audio = decoder.audio else { return text }
        return "\(text).\(audio.playedObjectType)"
      }
    default: return nil
    }
  }

  /// Returns the optional fields, unless they are the defaults of 4:2:0 and BT.709 (AV1 Codec ISO Media File Format
  /// Binding, 5).
  private static func optional(of av1: AV1Configuration) -> String {
    let colour = av1.sequence?.colour ?? AV1Colour()
    let isPlain = !av1.monochrome && av1.chromaSubsamplingX && av1.chromaSubsamplingY
    let codes = [colour.primaries, colour.transferCharacteristics, colour.matrixCoefficients]
    guard !isPlain || colour.range || !isStandard(codes) else { return "" }
    let isSampled = av1.chromaSubsamplingX && av1.chromaSubsamplingY
    let chroma =
      (av1.chromaSubsamplingX ? "1" : "0") + (av1.chromaSubsamplingY ? "1" : "0")
      + (isSampled ? "\(av1.chromaSamplePosition)" : "0")
    return ".\(av1.monochrome ? 1 : 0).\(chroma)." + codes.map { padded($0) }.joined(separator: ".")
      + (colour.range ? ".1" : ".0")
  }

  /// Returns the optional fields of VP9: VP Codec ISO Media File Format Binding, Codecs Parameter String.
  private static func optional(of vp: VPConfiguration) -> String {
    let codes = [vp.colourPrimaries, vp.transferCharacteristics, vp.matrixCoefficients]
    // The numbers in version 0 have other meanings.
    guard vp.version == 1,
      vp.chromaSubsampling > 1 || vp.videoFullRangeFlag || !isStandard(codes)
    else { return "" }
    let range: UInt8 = vp.videoFullRangeFlag ? 1 : 0
    return ([vp.chromaSubsampling] + codes + [range]).map { ".\(padded($0))" }.joined()
  }

  /// Returns whether colours are those of BT.709 or unspecified, which players display the same way.
  private static func isStandard(_ codes: [UInt8]) -> Bool {
    codes.allSatisfy { $0 == 1 } || codes.allSatisfy { $0 == 2 }
  }

  /// Returns a string such as `stpp.ttml.im1t`: W3C, TTML Media Type Definition and Profile Registry.
  static func text(of subtitles: XMLSubtitleSampleEntry) -> String {
    let named = "\(subtitles.namespace) \(subtitles.schemaLocation)"
    let base = "http://www.w3.org/ns/ttml"
    guard named.holds(base) else { return "stpp" }
    let profiles = [
      "imsc1/text": "im1t", "imsc1/image": "im1i", "imsc1.1/text": "im2t", "imsc1.1/image": "im2i",
    ]
    let profile = profiles.first { named.holds("\(base)/profile/\($0.key)") }
    return "stpp.ttml" + (profile.map { ".\($0.value)" } ?? "")
  }

  /// Returns a string such as `vvc1.1.L51.CQA`: ISO/IEC 14496-15, Annex E.
  private static func text(of vvc: VVCConfiguration, _ type: FourCC) -> String? {
    guard vvc.hasProfile else { return nil }
    let profile = vvc.profile
    let text = "\(type).\(profile.idc).\(profile.isHighTier ? "H" : "L")\(profile.levelIDC)"
    var bytes = profile.constraints
    while bytes.last == 0 { bytes.removeLast() }
    guard !bytes.isEmpty else { return text }
    // The alphabet of Base32 in RFC 4648, without padding.
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    let count = bytes.count * 8
    let digits = stride(from: 0, to: count, by: 5).map { start -> Character in
      var digit = 0
      for place in start..<start + 5 {
        let bit: UInt8 = place < count ? bytes[place / 8] >> UInt8(7 - place % 8) & 1 : 0
        digit = digit << 1 | Int(bit)
      }
      return letters[digit]
    }
    return "\(text).C\(String(digits))"
  }

  fileprivate static func padded(_ value: UInt8, _ radix: Int = 10) -> String {
    let digits = String(value, radix: radix, uppercase: true)
    return digits.count < 2 ? "0" + digits : digits
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
