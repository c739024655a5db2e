// SPDX-License-Identifier: MIT

internal import AVC
package import Bytes
public import HEVC
public import ISOBMFF

extension CodecString {
  /// The `codecs` parameter of a sample entry: RFC 6381 and the bindings of each codec. The type alone
  /// where there is nothing to add, or where the configuration cannot be read.
  public static func of(_ entry: TrackSampleEntry) -> String {
    let type = entry.codingType
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

  /// What a player that knows more than the plain codec may take the samples for: Dolby Vision on top of
  /// another codec, and the profile of the layers above the base.
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

  /// Dolby's sample entry for the base codec: Dolby Vision Streams within the ISO Base Media File Format.
  package static let dolbyTypes = [
    "hvc1": "dvh1", "hev1": "dvhe", "avc1": "dva1", "avc3": "dvav", "av01": "dav1",
  ]

  /// Returns the codec string of an item, whose type takes the place of the sample entry's.
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
    objectType(of: specific).map { "mp4a.40.\($0)" } ?? "mp4a.40"
  }

  /// The audio object type: ISO/IEC 14496-3, 1.6.2.1.
  fileprivate static func objectType(of specific: [UInt8]) -> UInt8? {
    guard specific.count >= 2 else { return nil }
    let short = specific[0] >> 3
    return short == 31 ? 32 + ((specific[0] & 7) << 3 | specific[1] >> 5) : short
  }

  /// Returns the string of a codec with the box that configures it; `nil` where the type alone is enough.
  package static func text(of box: any Box, _ type: FourCC) -> String? {
    switch box {
    case let avc as AVCConfiguration where type.description.hasPrefix("avc"):
      let bytes = [avc.profileIndication, avc.profileCompatibility, avc.levelIndication]
      return "\(type)." + bytes.map { padded($0, 16) }.joined()
    case let av1 as AV1Configuration:
      let depth = av1.highBitdepth ? (av1.twelveBit ? 12 : 10) : 8
      return "\(type).\(av1.seqProfile).\(padded(av1.seqLevelIndex0))\(av1.seqTier0 ? "H" : "M")."
        + padded(UInt8(depth))
    case let vp as VPConfiguration:
      return "\(type).\(padded(vp.profile)).\(padded(vp.level)).\(padded(vp.bitDepth))"
    case let stream as ElementaryStreamDescription:
      return stream.descriptor.codecSuffix.map { "\(type).\($0)" }
    default: return nil
    }
  }

  fileprivate static func padded(_ value: UInt8, _ radix: Int = 10) -> String {
    let digits = String(value, radix: radix, uppercase: true)
    return digits.count < 2 ? "0" + digits : digits
  }
}

extension Descriptor {
  /// The object type, and for MPEG-4 audio the audio object type: ISO/IEC 14496-3, 1.6.2.1.
  fileprivate var codecSuffix: String? {
    guard case .elementaryStream(let stream) = content else { return nil }
    for inner in stream.descriptors {
      guard case .decoder(let decoder) = inner.content else { continue }
      let type = CodecString.padded(decoder.objectTypeIndication, 16).lowercased()
      let specific = decoder.descriptors.lazy.compactMap { descriptor -> [UInt8]? in
        guard descriptor.tag == 5, case .bytes(let bytes) = descriptor.content else { return nil }
        return bytes
      }.first
      guard decoder.objectTypeIndication == 0x40, let specific else { return type }
      return CodecString.objectType(of: specific).map { "\(type).\($0)" } ?? type
    }
    return nil
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
