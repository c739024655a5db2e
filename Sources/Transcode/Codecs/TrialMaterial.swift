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

  /// The materials that are tried in turn: small pictures, full range, and the profiles of the encoder, then large ones.
  ///
  /// - Parameters:
  ///   - profile: the only one that is meant; where it is `nil`, also those of the encoder's own option.
  ///   - size: the only one that is meant.
  static func all(
    _ facts: CodecFacts, profile: String?, size: (width: Int, height: Int)?
  ) -> [TrialMaterial] {
    var result: [TrialMaterial] = []
    for (width, height) in sizes(only: size) {
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
    only size: (width: Int, height: Int)?
  ) -> [(width: Int, height: Int)] {
    size.map { [$0] } ?? [TrialEncoder.size, (1920, 1080)]
  }
}
