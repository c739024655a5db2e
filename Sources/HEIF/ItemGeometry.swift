// SPDX-License-Identifier: MIT

public import ISOBMFF

/// The crop and orientation of a picture by `clap`, `irot` and `imir`, in the order of association.
public struct ItemGeometry: Hashable, Sendable {
  /// The displayed width in samples, after cropping and rotation.
  public var width: UInt32
  /// The displayed height in samples, after cropping and rotation.
  public var height: UInt32
  /// The clockwise rotation in degrees, after mirroring.
  public var rotation = 0
  /// Whether left and right are swapped.
  public var isMirrored = false

  /// Reads the geometry of an item; `nil` if it has no `ispe`.
  public init?(_ item: Item) {
    guard let size = item.property(ImageSpatialExtents.self) else { return nil }
    (width, height) = (size.width, size.height)
    for property in item.properties { apply(property.located) }
  }

  private mutating func apply(_ property: LocatedNode) {
    if let aperture = property.box(CleanAperture.self) {
      width = aperture.width ?? width
      height = aperture.height ?? height
    } else if let turn = property.box(ImageRotation.self) {
      let degrees = (4 - Int(turn.angle)) % 4 * 90
      rotation = (rotation + degrees) % 360
      if turn.angle % 2 == 1 { swap(&width, &height) }
    } else if let mirror = property.box(ImageMirror.self) {
      // Mirroring after a rotation equals rotating the other way after mirroring; axis 0 adds 180 degrees.
      rotation = (360 - rotation + (mirror.axis == 0 ? 180 : 0)) % 360
      isMirrored.toggle()
    }
  }
}

extension CleanAperture {
  /// The width in whole samples; `nil` if the denominator is 0.
  public var width: UInt32? { widthD == 0 ? nil : widthN / widthD }
  /// The height in whole samples; `nil` if the denominator is 0.
  public var height: UInt32? { heightD == 0 ? nil : heightN / heightD }
}
