// SPDX-License-Identifier: MIT

/// What a conversion did.
public struct ConversionReport: Hashable, Sendable {
  public var tags = 0
  /// Tags that were written in the other form.
  public var converted = 0
  /// Frame types that were not those of the pictures.
  public var frameTypes = 0
  /// Decoding times that fell and were held at the one before.
  public var heldTimes = 0
  /// Places at which times began again and now go on.
  public var restarts = 0
  /// Bytes that belonged to no tag.
  public var junk = 0
  /// Sizes after tags that were wrong.
  public var sizes = 0
  /// What is wrong with tags, whether it was put right or not, as text.
  public var faults: [String] = []
  /// Whether the file ended inside a tag, which is left out.
  public var isTruncated = false
  /// Colour information, which the older form cannot hold.
  public var lostColours = 0
  /// Nanoseconds, which the older form cannot hold.
  public var lostNanoseconds = 0
  public var keyFrames = 0
  /// Milliseconds from 0 to the end of the last frame.
  public var duration: Int64 = 0

  public init() {}
}
