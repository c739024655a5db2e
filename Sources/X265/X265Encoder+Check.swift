// SPDX-License-Identifier: MIT

public import Media

extension X265Encoder {
  /// Throws where there is no libx265 for samples of so many bits.
  ///
  /// - Returns: the library and its version.
  @discardableResult
  public static func check(bitDepth: Int) throws(MediaError) -> String {
    "libx265 \(try LibX265.load(bitDepth: bitDepth).version)"
  }
}
