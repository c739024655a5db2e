// SPDX-License-Identifier: MIT

public import Media

/// The sides that a picture may have at most. It keeps its proportions, and becomes no larger unless that is wanted.
public struct PictureBounds: Hashable, Sendable {
  public var width: Int
  public var height: Int
  /// Whether a picture that is smaller is made as large as they allow.
  public var enlarges = false

  public init(width: Int, height: Int, enlarges: Bool = false) {
    (self.width, self.height) = (width, height)
    self.enlarges = enlarges
  }

  /// The sides of a picture within them; `nil` where it fits as it is.
  func fitted(_ picture: (width: Int, height: Int)) -> (width: Int, height: Int)? {
    guard width > 0, height > 0, enlarges || picture.width > width || picture.height > height
    else { return nil }
    let sides = sides(of: picture)
    return sides == picture ? nil : sides
  }

  /// The sides of a picture with one side as long as it may be.
  private func sides(of picture: (width: Int, height: Int)) -> (width: Int, height: Int) {
    if width * picture.height <= height * picture.width {
      let rows = (picture.height * width + picture.width / 2) / picture.width
      return (width, max(rows, 1))
    }
    let columns = (picture.width * height + picture.height / 2) / picture.height
    return (max(columns, 1), height)
  }
}

/// The part of an upright picture that is taken.
public enum PictureCrop: Hashable, Sendable {
  /// A rectangle, which must lie in the picture.
  case area(PixelRect)
  /// The middle, as much of it as has these proportions.
  case proportions(width: Int, height: Int)

  /// The part of a picture of these sides.
  func rect(inWidth width: Int, height: Int) throws(MediaError) -> PixelRect {
    switch self {
    case .area(let rect):
      guard !rect.isEmpty, rect.x >= 0, rect.y >= 0, rect.maxX <= width, rect.maxY <= height else {
        throw MediaError(
          .misuse, of: .input,
          "is \(width) × \(height), and the crop of \(rect.width) × \(rect.height) at "
            + "\(rect.x), \(rect.y) is not inside it")
      }
      return rect
    case .proportions(let across, let down):
      var rect = PixelRect(width: width, height: height)
      if width * down > height * across {
        rect.width = max((height * across + down / 2) / down, 1)
      } else {
        rect.height = max((width * down + across / 2) / across, 1)
      }
      (rect.x, rect.y) = ((width - rect.width) / 2, (height - rect.height) / 2)
      return rect
    }
  }
}
