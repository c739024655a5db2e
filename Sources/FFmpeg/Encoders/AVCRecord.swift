// SPDX-License-Identifier: MIT

internal import CFFmpeg
internal import Media

/// An AVC decoder configuration record made of parameter sets: ISO/IEC 14496-15, 5.3.3.1.
enum AVCRecord {
  /// `nil` where there is no parameter set of each kind, or more than a record holds.
  static func bytes(ofSets stream: [UInt8], chroma: Int, depth: Int) -> [UInt8]? {
    let units = unsafe stream.withUnsafeBufferPointer { bytes in
      unsafe ByteStream.units(of: bytes).map { unsafe Array(bytes[$0]) }
    }
    let sequences = units.filter { $0[0] & 31 == 7 && $0.count >= 4 }
    let pictures = units.filter { $0[0] & 31 == 8 }
    guard let first = sequences.first, !pictures.isEmpty, sequences.count < 32,
      pictures.count < 256, (sequences + pictures).allSatisfy({ $0.count <= 0xffff })
    else { return nil }
    var record: [UInt8] = [1, first[1], first[2], first[3], 0xff]
    record.append(0xe0 | UInt8(sequences.count))
    for set in sequences { append(set, to: &record) }
    record.append(UInt8(pictures.count))
    for set in pictures { append(set, to: &record) }
    // Baseline, Main and Extended have one form of samples.
    if ![66, 77, 88].contains(first[1]) {
      record += [0xfc | UInt8(chroma & 3), 0xf8 | UInt8(depth - 8 & 7)]
      record += [0xf8 | UInt8(depth - 8 & 7), 0]
    }
    return record
  }

  private static func append(_ set: [UInt8], to record: inout [UInt8]) {
    record += [UInt8(set.count >> 8), UInt8(set.count & 255)]
    record += set
  }
}
