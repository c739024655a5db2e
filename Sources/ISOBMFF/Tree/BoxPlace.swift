// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The path of a box, formatted on demand: most boxes of a file are examined and never reported.
public final class BoxPlace: Sendable {
  private let type: FourCC
  /// The number of preceding siblings of the same type.
  private let number: Int
  private let parent: BoxPlace?

  init(type: FourCC, number: Int, parent: BoxPlace?) {
    self.type = type
    self.number = number
    self.parent = parent
  }

  /// The path, such as `moov/trak[1]/mdia`, with an index if there are preceding siblings of the same type.
  public var path: String {
    let step = number == 0 ? type.description : "\(type)[\(number)]"
    return parent.map { $0.path + "/" + step } ?? step
  }
}
