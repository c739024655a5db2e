// SPDX-License-Identifier: MIT

internal import Glibc

/// The target of a request as it was sent.
struct HTTPTarget {
  /// Whether it contains an escaped NUL or a space, which programs may take for the end of the path.
  let isFaulty: Bool
  /// The address of its end in memory, as seen from C.
  private let end: UInt

  init(_ text: UnsafePointer<CChar>) {
    let bytes = unsafe Array(UnsafeBufferPointer(start: text, count: strlen(text)))
    isFaulty =
      bytes.contains(0x20)
      || bytes.indices.contains { bytes[$0...].starts(with: [0x25, 0x30, 0x30]) }
    end = UInt(bitPattern: text) &+ UInt(bytes.count)
  }

  /// Returns whether it contains a NUL: then there is something between its end and the version, which otherwise
  /// follows after one space.
  func isCut(before version: UnsafePointer<CChar>) -> Bool {
    UInt(bitPattern: version) != end &+ 1
  }
}
