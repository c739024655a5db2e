// SPDX-License-Identifier: MIT

internal import Bytes

extension BoxTree {
  /// Whether bytes may begin a sequence of boxes: a known type with a size that a box can have, or any
  /// printable type whose box ends inside the input.
  public static func mayBegin(_ prefix: [UInt8], count: Int) -> Bool {
    guard prefix.count >= 8 else { return false }
    let size = prefix[0..<4].reduce(0) { $0 << 8 | Int($1) }
    let type = FourCC(prefix[4..<8].reduce(0) { $0 << 8 | UInt32($1) })
    if BoxRegistry.box(for: type, in: []) != nil || BoxRegistry.lazyTypes.contains(type) {
      return size >= 8 || size <= 1
    }
    return type.isPrintable && (8...max(count, 8)).contains(size)
  }
}
