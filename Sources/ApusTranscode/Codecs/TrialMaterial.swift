// SPDX-License-Identifier: MIT

internal import ApusMedia

/// Pictures that are offered to an encoder until it accepts some: libraries have tables of sample forms, but not of the
/// sizes and ranges that go with them.
struct TrialMaterial: Hashable, Sendable {
  var width: Int
  var height: Int
  /// Whether luma uses the full range of numbers, as in JPEG.
  var isFullRange = false
  /// The profile in the library's words.
  var profile: String?

  /// Returns the materials that are tried in turn: small pictures, full range, and the profiles of the encoder, then
  /// large ones.
  ///
  /// - Parameters:
  ///   - profile: the only profile to be tried; if `nil`, also those of the encoder's own option.
  ///   - size: the only size to be tried.
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

  /// Returns the sizes to be tried.
  ///
  /// - Parameter size: the only size to be tried.
  static func sizes(
    only size: (width: Int, height: Int)?
  ) -> [(width: Int, height: Int)] {
    size.map { [$0] } ?? [TrialEncoder.size, (1920, 1080)]
  }
}
