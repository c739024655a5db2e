// SPDX-License-Identifier: MIT

internal import Bytes
internal import FLV
internal import HEVC

extension CodedTrack.Format {
  /// How the samples are coded, by the names that FLV has for it.
  var codec: Codec {
    switch self {
    case .hevc: .hevc
    case .avc: .avc
    case .aac: .aac
    case .other(let code, _): .fourCC(code)
    }
  }

  /// How many bytes stand before each NAL unit of a sample.
  var lengthSize: Int {
    switch self {
    case .hevc(let record): record.lengthSize
    case .avc(let record): record.count > 4 ? Int(record[4] & 3) + 1 : 4
    case .aac, .other: 4
    }
  }

  /// Whether a decoder can begin at a sample: its NAL units say it, and where there are none, or they do not
  /// tell, what the container `said`.
  func isSync(_ payload: Extent, said: Bool) throws(SyntaxError) -> Bool {
    let codec = codec
    // In AVC other pictures than IDR are good to begin at, and their NAL unit type does not tell.
    guard codec == .hevc || (codec == .avc && !said) else { return said }
    var limit = Self.glance
    while true {
      let bytes = try payload.prefix(limit).bytes()
      let unit = AccessUnit(codec, bytes.span, lengthSize: lengthSize, isWhole: false)
      let isTold = unit.firstPicture != nil || unit.isRandomAccess
      if isTold || bytes.count == payload.count { return unit.isRandomAccess }
      limit = limit < 4096 ? 4096 : .max
    }
  }

  /// Enough for the first slice of most samples.
  private static let glance = 64
}

extension CodedTrack {
  /// What a message calls it: `HEVC video`.
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
