// SPDX-License-Identifier: MIT

internal import ApusMedia

/// The profiles of libx264 by its own names, which libavcodec passes on without having a list of them, and the samples
/// that require them: ITU-T H.264, A.2.
enum X264Profiles {
  private static let names = ["baseline", "main", "high", "high10", "high422", "high444"]

  static func add(to facts: inout CodecFacts) {
    for index in facts.samples.indices {
      facts.samples[index].profiles = profiles(of: facts.samples[index])
    }
    facts.profiles = names.filter { name in
      facts.samples.contains { $0.profiles.contains(name) }
    }
  }

  private static func profiles(of samples: CodecFacts.Samples) -> [String] {
    switch (samples.chroma, samples.bitDepth) {
    case (.yuv420, 8): ["baseline", "main", "high"]
    case (.monochrome, 8): ["high"]
    case (.yuv420, 10), (.monochrome, 10): ["high10"]
    case (.yuv422, 8), (.yuv422, 10): ["high422"]
    case (.yuv444, 8), (.yuv444, 10): ["high444"]
    default: []
    }
  }
}
