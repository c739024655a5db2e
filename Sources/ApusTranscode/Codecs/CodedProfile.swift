// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import HEVC

/// Profiles as declared by streams, and in the words of libraries.
enum CodedProfile {
  /// Returns the profile declared in parameter sets without start codes.
  static func hevc(_ units: [[UInt8]]) -> String? {
    do {
      return try RecordBuilder().record(of: units).record.profileName
    } catch {
      return nil
    }
  }

  /// Returns the profile declared in an AVC decoder configuration record: ISO/IEC 14496-15, 5.3.3.1.
  static func avc(_ record: [UInt8]) -> String? {
    guard record.count > 3 else { return nil }
    return AVCSequenceParameterSet.profileName(of: record[1], constraints: record[2])
  }

  /// Returns the chroma format declared in the first sequence parameter set of an AVC decoder configuration record.
  /// Decoders return pictures without colours as 4:2:0.
  static func chroma(inAVC record: [UInt8]) -> Chroma? {
    AVCSequenceParameterSet(firstOf: record).flatMap {
      Chroma(rawValue: $0.format.chromaFormatIDC)
    }
  }

  /// Returns a description of the difference if a stream does not have the requested profile; `nil` if it has.
  ///
  /// - Parameters:
  ///   - claimed: the profile in the words of x265 or x264.
  ///   - isIntra: whether all its pictures are key frames.
  static func failure(_ claimed: String, _ coded: String?, isIntra: Bool) -> String? {
    guard let coded else { return "the stream names no profile that is known" }
    guard plain(claimed) == plain(coded) || avc[claimed]?.contains(coded) == true else {
      return "the profile \(claimed) comes out as \(coded)"
    }
    return claimed.hasSuffix("intra") && !isIntra ? "not all pictures are key frames" : nil
  }

  /// Normalizes a name, so that `main422-10` and `Main 4:2:2 10` become the same.
  private static func plain(_ name: String) -> String {
    let letters = name.lowercased().filter { !" :-".contains($0) }
    // The standard's names do not mention 8 bits.
    return letters == "main4448" ? "main444" : letters
  }

  private static let avc: [String: Set<String>] = [
    "baseline": ["Baseline", "Constrained Baseline"], "high444": ["High 4:4:4 Predictive"],
  ]
}
