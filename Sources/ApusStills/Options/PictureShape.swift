// SPDX-License-Identifier: MIT

public import ApusMedia

/// The maximum size of a picture. A picture keeps its aspect ratio, and is not enlarged unless requested.
public struct PictureBounds: Hashable, Sendable {
  /// The maximum width in pixels, after rotation.
  public var width: Int
  /// The maximum height in pixels, after rotation.
  public var height: Int
  /// Whether a smaller picture is enlarged to the maximum size.
  public var enlarges = false

  public init(width: Int, height: Int, enlarges: Bool = false) {
    (self.width, self.height) = (width, height)
    self.enlarges = enlarges
  }

  /// Returns the size of a picture within the bounds; `nil` if it fits already.
  func fitted(_ picture: (width: Int, height: Int)) -> (width: Int, height: Int)? {
    guard width > 0, height > 0, enlarges || picture.width > width || picture.height > height
    else { return nil }
    let sides = sides(of: picture)
    return sides == picture ? nil : sides
  }

  /// Returns the largest size within the bounds.
  private func sides(of picture: (width: Int, height: Int)) -> (width: Int, height: Int) {
    if width * picture.height <= height * picture.width {
      let rows = (picture.height * width + picture.width / 2) / picture.width
      return (width, max(rows, 1))
    }
    let columns = (picture.width * height + picture.height / 2) / picture.height
    return (max(columns, 1), height)
  }
}

/// The part of an upright picture to use.
public enum PictureCrop: Hashable, Sendable {
  /// A rectangle, which must lie within the picture.
  case area(PixelRect)
  /// The largest centred part with this aspect ratio.
  case proportions(width: Int, height: Int)

  /// Returns the rectangle in a picture of this size.
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
