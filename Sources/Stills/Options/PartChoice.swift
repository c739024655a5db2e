// SPDX-License-Identifier: MIT

/// What is taken out of a file.
public struct PartChoice: Hashable, Sendable {
  public var roles: Set<PartRole> = []
  /// Items by their ID, whatever they are for.
  public var items: [UInt32] = []
  /// Every frame of an image sequence.
  public var takesFrames = false
  /// Items as they are coded, with their configuration, rather than as pictures.
  public var isRaw = false
  /// Depth maps, alpha and mattes as pictures to be looked at, in the format of the others, rather than as numbers.
  public var showsNumbers = false
  /// What depth maps hold; without it, what they hold in the file.
  public var depthForm: DepthForm?

  public init() {}

  /// The choice in words, the same for the same choice in every process.
  var words: String {
    let flags = [takesFrames ? "frames" : nil, isRaw ? "raw" : nil, showsNumbers ? "shown" : nil]
    let names = roles.map(\.rawValue).sorted() + items.map { "\($0)" }
    return (names + flags.compactMap(\.self) + [depthForm?.rawValue].compactMap(\.self))
      .joined(separator: ",")
  }
}

/// What something in a file is for.
public enum PartRole: String, Hashable, Sendable, CaseIterable {
  /// Another picture of its own: of a pair, a burst, a wallpaper.
  case picture
  case thumbnail, alpha, depth, gainmap, matte
  case exif, xmp, icc
  case motionVideo = "motion-video"
  /// Auxiliary pictures and metadata of which no more is known.
  case other
}

/// Whether numbers are distances or their inverses.
public enum DepthForm: String, Hashable, Sendable, CaseIterable {
  case depth, disparity
}
