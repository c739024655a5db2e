// SPDX-License-Identifier: MIT

internal import AVC
internal import Bytes
internal import Flow
internal import HEVC
internal import Media

/// Profiles as streams name them, and in the words of libraries.
enum CodedProfile {
  /// Returns the profile that parameter sets without start codes state.
  static func hevc(_ units: [[UInt8]]) -> String? {
    do {
      return try RecordBuilder().record(of: units).record.profileName
    } catch {
      return nil
    }
  }

  /// The profile that is named by an AVC decoder configuration record: ISO/IEC 14496-15, 5.3.3.1.
  static func avc(_ record: [UInt8]) -> String? {
    guard record.count > 3 else { return nil }
    return AVCSequenceParameterSet.profileName(of: record[1], constraints: record[2])
  }

  /// How many colour samples pictures have by the first sequence parameter set of an AVC decoder configuration record.
  /// Decoders make 4:2:0 of pictures without colours.
  static func chroma(inAVC record: [UInt8]) -> Chroma? {
    AVCSequenceParameterSet(firstOf: record).flatMap {
      Chroma(rawValue: $0.format.chromaFormatIDC)
    }
  }

  /// Whether a stream is of the profile that was asked for.
  ///
  /// - Parameters:
  ///   - claimed: in the words of x265 or x264.
  ///   - isIntra: whether all its pictures are key frames.
  static func failure(_ claimed: String, _ coded: String?, isIntra: Bool) -> String? {
    guard let coded else { return "the stream names no profile that is known" }
    guard plain(claimed) == plain(coded) || avc[claimed]?.contains(coded) == true else {
      return "the profile \(claimed) comes out as \(coded)"
    }
    return claimed.hasSuffix("intra") && !isIntra ? "not all pictures are key frames" : nil
  }

  /// `main422-10` and `Main 4:2:2 10` become the same.
  private static func plain(_ name: String) -> String {
    let letters = name.lowercased().filter { !" :-".contains($0) }
    // 8 bits are not said in the standard's names.
    return letters == "main4448" ? "main444" : letters
  }

  private static let avc: [String: Set<String>] = [
    "baseline": ["Baseline", "Constrained Baseline"], "high444": ["High 4:4:4 Predictive"],
  ]
}
