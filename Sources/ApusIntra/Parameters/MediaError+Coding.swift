// SPDX-License-Identifier: MIT

internal import ApusMedia

extension MediaError {
  /// - Parameter what: the coding tool that the decoder does not have.
  init(codedWith what: String) {
    self.init(.unsupported, "is coded with \(what), which is not decoded by intra")
  }
}
