// SPDX-License-Identifier: MIT

public import ApusMedia

extension X265Encoder {
  /// Throws if there is no libx265 for this bit depth.
  ///
  /// - Returns: the library and its version.
  @discardableResult
  public static func check(bitDepth: Int) throws(MediaError) -> String {
    "libx265 \(try LibX265.load(bitDepth: bitDepth).version)"
  }
}
