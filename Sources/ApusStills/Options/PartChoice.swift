// SPDX-License-Identifier: MIT

/// The parts to extract from a file.
public struct PartChoice: Hashable, Sendable, CustomStringConvertible {
  /// The roles of the parts to extract, in addition to `items`.
  public var roles: Set<PartRole> = []
  /// The IDs of items to extract, whatever their role.
  public var items: [UInt32] = []
  /// Whether every frame of an image sequence is extracted.
  public var takesFrames = false
  /// Whether items are extracted as coded, with their configuration, instead of as pictures.
  public var isRaw = false
  /// Whether depth maps, alpha and mattes are written as viewable pictures in the format of the others, instead of as
  /// numbers.
  public var showsNumbers = false
  /// The quantity in depth maps; `nil` to keep that of the file.
  public var depthForm: DepthForm?

  public init() {}

  /// The choice as text; equal choices have equal texts in every process.
  public var description: String {
    let flags = [takesFrames ? "frames" : nil, isRaw ? "raw" : nil, showsNumbers ? "shown" : nil]
    let names = roles.map(\.rawValue).sorted() + items.map { "\($0)" }
    return (names + flags.compactMap(\.self) + [depthForm?.rawValue].compactMap(\.self))
      .joined(separator: ",")
  }
}

/// The role of a part in its file.
public enum PartRole: String, Hashable, Sendable, CaseIterable {
  /// Another picture in its own right: of a pair, a burst, a wallpaper.
  case picture
  case thumbnail, alpha, depth, gainmap, matte
  case exif, xmp, icc
  case motionVideo = "motion-video"
  /// Auxiliary pictures and metadata of unknown purpose.
  case other
}

/// The quantity in a depth map: distances or their inverses.
public enum DepthForm: String, Hashable, Sendable, CaseIterable {
  case depth, disparity
}
