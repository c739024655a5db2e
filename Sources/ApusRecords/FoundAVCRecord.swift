// SPDX-License-Identifier: MIT

public import AVC
public import ApusBytes
internal import HEVC
internal import ISOBMFF

/// A decoder configuration record of H.264 (`avcC`), with its location and its users.
public struct FoundAVCRecord: Sendable {
  /// The record as parsed.
  public var record: AVCConfiguration
  /// The bytes of the record as read.
  public var bytes: [UInt8]
  /// The offset of the record's first byte.
  public var offset: Int?
  private let place: BoxPlace?
  /// The type of the sample entry or item, such as `avc1`, `encv` or `dva1`.
  public var entryType: FourCC?
  /// The type of the entry before it was protected or restricted (`frma`).
  public var originalType: FourCC?
  /// The tracks and items that use the record.
  public var users: [FoundRecord.User]
  /// The `codecs` parameter of the media type (RFC 6381; ISO/IEC 14496-15, Annex E).
  public var codecString: String

  init(
    _ record: AVCConfiguration, bytes: [UInt8], offset: Int?, place: BoxPlace? = nil,
    users: [FoundRecord.User] = []
  ) {
    self.record = record
    self.bytes = bytes
    self.offset = offset
    self.place = place
    self.users = users
    codecString = CodecString.text(of: record, "avc1") ?? "avc1"
  }

  /// The path of the box, such as `moov/trak/mdia/minf/stbl/stsd/avc1/avcC`; empty if there is none.
  public var path: String { place?.path ?? "" }
}

extension FoundAVCRecord {
  /// A summary such as `High, level 4.0, 4:2:0, 8 bits, 1920x1080, 25 frames per second`: profile and level from the
  /// record, the rest from its first parameter set.
  public var summary: String {
    var stated = AVCSequenceParameterSet()
    stated.profileIDC = record.profileIndication
    stated.constraintSetFlags = record.profileCompatibility
    stated.levelIDC = record.levelIndication
    var parts = [
      stated.profileName ?? "profile \(record.profileIndication)", "level \(stated.levelName)",
    ]
    let sequence = record.firstSequence
    if let format = sequence?.format {
      parts.append(ChromaFormat.name(of: format.chromaFormatIDC))
      let (luma, chroma) = (format.bitDepthLumaMinus8 + 8, format.bitDepthChromaMinus8 + 8)
      parts.append(luma == chroma ? "\(luma) bits" : "\(luma) and \(chroma) bits")
    }
    if let sequence, sequence.width > 0, sequence.height > 0 {
      parts.append("\(sequence.width)x\(sequence.height)")
    }
    if let rate = sequence?.frameRate { parts.append("\(rate) frames per second") }
    return parts.joined(separator: ", ")
  }
}
