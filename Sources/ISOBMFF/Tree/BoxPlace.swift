// SPDX-License-Identifier: MIT

internal import Bytes

/// The way to a box, which is spelled on demand: most boxes of a file are examined and never reported.
public final class BoxPlace: Sendable {
  private let type: FourCC
  /// How many boxes of the type precede it in the same box.
  private let number: Int
  private let parent: BoxPlace?

  init(type: FourCC, number: Int, parent: BoxPlace?) {
    self.type = type
    self.number = number
    self.parent = parent
  }

  /// Such as `moov/trak[1]/mdia`, an index standing where siblings of the same type came before.
  public var path: String {
    let step = number == 0 ? type.description : "\(type)[\(number)]"
    return parent.map { $0.path + "/" + step } ?? step
  }
}
