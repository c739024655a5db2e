// SPDX-License-Identifier: MIT

internal import ISOBMFF

extension TransformationMatrix {
  /// Whether it only rotates pictures by quarters, mirrors and moves them, so that pictures can be encoded as they are
  /// shown.
  var canBeBaked: Bool {
    let isUpright = b == 0 && c == 0 && a.magnitude == Self.one && d.magnitude == Self.one
    let isTurned = a == 0 && d == 0 && b.magnitude == Self.one && c.magnitude == Self.one
    return (isUpright || isTurned) && u == 0 && v == 0 && w == TransformationMatrix().w
  }

  private static let one = TransformationMatrix().a.magnitude

  /// Adapts the translation, which depends on the sides of rotated pictures.
  mutating func fit(from old: (width: Int, height: Int), to new: (width: Int, height: Int)) {
    guard old.width > 0, old.height > 0, old != new else { return }
    let isTurned = a == 0 && d == 0
    func moved(_ value: Int32, _ old: Int, _ new: Int) -> Int32 {
      Int32(clamping: Int(value) * new / old)
    }
    x = isTurned ? moved(x, old.height, new.height) : moved(x, old.width, new.width)
    y = isTurned ? moved(y, old.width, new.width) : moved(y, old.height, new.height)
  }
}
