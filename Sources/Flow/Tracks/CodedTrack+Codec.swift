// SPDX-License-Identifier: MIT

package import Bytes
package import FLV
internal import HEVC

extension CodedTrack.Format {
  /// How the samples are coded, by the names that FLV has for it.
  package var codec: Codec {
    switch self {
    case .hevc: .hevc
    case .avc: .avc
    case .aac: .aac
    case .other(let code, _): .fourCC(code)
    }
  }

  /// How many bytes precede each NAL unit of a sample.
  package var lengthSize: Int {
    switch self {
    case .hevc(let record): record.lengthSize
    case .avc(let record): record.count > 4 ? Int(record[4] & 3) + 1 : 4
    case .aac, .other: 4
    }
  }

  /// Whether a decoder can begin at a sample: its NAL units say it, and where there are none, or they do not
  /// tell, what the container `said`.
  package func isSync(_ payload: Extent, said: Bool) throws -> Bool {
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

  /// Whether a sample is made of whole NAL units; true of what has none. Only their lengths are read.
  package func holdsWholeUnits(_ payload: Extent) throws -> Bool {
    guard codec == .hevc || codec == .avc else { return true }
    let lengthSize = lengthSize
    var place = payload.range.lowerBound
    let end = payload.range.upperBound
    while place < end {
      guard end - place >= lengthSize else { return false }
      let length = try payload.source.bytes(in: place..<place + lengthSize)
        .reduce(0) { $0 << 8 | Int($1) }
      guard length <= end - place - lengthSize else { return false }
      place += lengthSize + length
    }
    return true
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

extension CodedTrack.Format {
  /// Whether it configures a decoder with the same bytes.
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
