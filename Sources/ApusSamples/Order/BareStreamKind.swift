// SPDX-License-Identifier: MIT

internal import AVC
package import ApusBytes
internal import ApusMedia

/// Distinguishes bare HEVC streams from bare AVC streams, which begin with the same start code.
package enum BareStreamKind {
  /// - Parameter prefix: the beginning of the stream.
  static func isAVC(_ prefix: [UInt8]) -> Bool {
    let units = AnnexB.nalUnits(in: Array(prefix.prefix(1 << 16)))
    let isHEVC = units.contains { $0.starts(with: [0x40, 1]) || $0.starts(with: [0x42, 1]) }
    let isAVC = units.contains {
      $0.count > 3 && $0[0] & 0x9f == 7 && AVCSequenceParameterSet.profiles.contains($0[1])
    }
    return isAVC && !isHEVC
  }

  package static func isAVC(_ source: any ByteSource) throws -> Bool {
    isAVC(try source.bytes(in: 0..<min(source.count, 1 << 16)))
  }

  package static func check(_ prefix: [UInt8]) throws {
    guard isAVC(prefix) else { return }
    throw MediaError(
      .unsupported, of: .part("stream"), "is bare H.264, which is read from a file, not from a pipe"
    )
  }
}
