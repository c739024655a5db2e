// SPDX-License-Identifier: MIT

internal import AVC
package import ApusBytes
package import FLV
internal import HEVC

extension CodedTrack.Format {
  /// The coding of the samples, by FLV's names.
  package var codec: Codec {
    switch self {
    case .hevc: .hevc
    case .avc: .avc
    case .aac: .aac
    case .other(let code, _): .fourCC(code)
    }
  }

  /// The number of bytes in the length before each NAL unit of a sample.
  package var lengthSize: Int {
    switch self {
    case .hevc(let record): record.lengthSize
    case .avc(let record): record.count > 4 ? Int(record[4] & 3) + 1 : 4
    case .aac, .other: 4
    }
  }

  /// Returns whether a decoder can begin at a sample: its NAL units tell, and if there are none, or they do not tell,
  /// the container's word `said` counts.
  package func isSync(_ payload: Extent, said: Bool) throws -> Bool {
    try units(of: payload, said: said, isToEnd: false).isSync
  }

  /// Returns the facts from the NAL units of a sample, of which only the beginnings are read.
  package func units(of payload: Extent, said: Bool) throws -> SampleUnits {
    try units(of: payload, said: said, isToEnd: true)
  }

  private func units(of payload: Extent, said: Bool, isToEnd: Bool) throws -> SampleUnits {
    let codec = codec
    guard codec == .hevc || codec == .avc else { return SampleUnits(isSync: said) }
    // In AVC, decoding can also begin at pictures other than IDR, which the NAL unit type does not show.
    var isSync: Bool? = codec == .avc && said ? true : nil
    var hasParameterSets = false
    var walk = NALUnitWalk(over: payload, lengthSize: lengthSize)
    while isToEnd || isSync == nil, let head = try walk.next() {
      guard !head.range.isEmpty else { continue }
      if codec == .avc {
        let type = AVCNALUnitType(firstByte: head.first)
        if type == .idr { isSync = true }
        if type.isParameterSet { hasParameterSets = true }
      } else {
        let type = NALUnitType(firstByte: head.first)
        if isSync == nil, type.isVCL { isSync = type.isIRAP }
        if type.isParameterSet { hasParameterSets = true }
      }
    }
    return SampleUnits(
      isSync: isSync ?? false, isWhole: !walk.isTorn, hasParameterSets: hasParameterSets)
  }
}

extension CodedTrack {
  /// The name for messages: `HEVC video`.
  public var name: String {
    let word =
      switch kind {
      case .video: "video"
      case .audio: "audio"
      case .subtitle: "subtitles"
      case .timecode: "timecode"
      case .data: "data"
      }
    return "\(format.codec) \(word)"
  }
}

extension CodedTrack.Format {
  /// Returns whether it configures a decoder with the same bytes.
  package func isSame(as other: CodedTrack.Format) throws -> Bool {
    switch (self, other) {
    case (.hevc(let mine), .hevc(let others)):
      try mine == others ? true : mine.bytes() == others.bytes()
    case (.avc(let mine), .avc(let others)), (.aac(let mine), .aac(let others)): mine == others
    case (.other(let code, let mine), .other(let otherCode, let others)):
      code == otherCode && mine == others
    default: false
    }
  }
}
