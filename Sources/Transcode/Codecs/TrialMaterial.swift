// SPDX-License-Identifier: MIT

internal import Media

/// Pictures that an encoder is offered, until it takes some: libraries have tables of forms of samples, and none of
/// the sizes and ranges that go with them.
struct TrialMaterial: Hashable, Sendable {
  var width: Int
  var height: Int
  /// Whether luma goes from the least number to the greatest, as in JPEG.
  var isFullRange = false
  /// The profile in the library's words.
  var profile: String?

  /// What is tried in turn: small pictures, full range, and then the sizes of H.261, DV and DNxHD.
  ///
  /// - Parameters:
  ///   - profile: the only one that is meant; where it is `nil`, also those of the encoder's own option.
  ///   - size: the only one that is meant.
  static func all(
    _ facts: CodecFacts, profile: String?, size: (width: Int, height: Int)?
  ) -> [TrialMaterial] {
    var result: [TrialMaterial] = []
    for (width, height) in sizes(facts, only: size) {
      let plain = TrialMaterial(width: width, height: height, profile: profile)
      result.append(plain)
      guard !facts.library.hasPrefix("libx265") else { continue }
      var full = plain
      full.isFullRange = true
      result.append(full)
      let choices = facts.options.first { $0.name == "profile" }?.choices ?? []
      for choice in profile == nil ? choices : [] {
        var other = plain
        other.profile = choice
        result.append(other)
      }
    }
    return result
  }

  /// The sizes of what is tried.
  ///
  /// - Parameter size: the only one that is meant.
  static func sizes(
    _ facts: CodecFacts, only size: (width: Int, height: Int)?
  ) -> [(width: Int, height: Int)] {
    if let size { return [size] }
    // It finds out with the first picture only.
    if facts.codec == "xface" { return [(48, 48)] }
    return [TrialEncoder.size, (176, 144), (720, 576), (1920, 1080)]
  }

  /// Codecs, or one form of their samples, whose packets libavcodec decodes only with what a container writes beside
  /// them, by the library's names.
  static let contained: [String: String] = [
    "bitpacked": "its container alone tells which form its packets have",
    "apng": "its header comes after the pictures, from where only its container can take it",
    "fits": "the line that a file begins with comes from its container alone",
    "msrle": "the palette of its pictures comes from its container alone",
    "qtrle gray": "the palette of its pictures comes from its container alone",
    "rv10": "what configures its decoder comes from its container alone",
    "rv20": "what configures its decoder comes from its container alone",
    "smc": "the palette of its pictures comes from its container alone",
    "tta": "what configures its decoder comes from its container alone",
    "wrapped_avframe": "its packets are pictures in the memory of a program, which cannot be kept",
  ]

  /// Codecs that keep no tones, by which this test distinguishes sounds, or nothing at all.
  static let toneless: [String: String] = [
    "anull": "it keeps nothing",
    "codec2": "it keeps what makes speech understood, and no waves to compare",
    "comfortnoise": "it keeps how loud a noise is, and no waves to compare",
    "ra_144": "it keeps what makes speech understood, and hardly its waves",
    "vnull": "it keeps nothing",
  ]
}
