// SPDX-License-Identifier: MIT

/// The results of a conversion.
public struct ConversionReport: Hashable, Sendable {
  /// The number of tags written.
  public var tags = 0
  /// The number of tags that were written in the other form.
  public var converted = 0
  /// The number of frame types that did not match the pictures.
  public var frameTypes = 0
  /// The number of decoding times that fell and were held at the previous one.
  public var heldTimes = 0
  /// The number of places at which times started over and were made continuous.
  public var restarts = 0
  /// The number of bytes that belonged to no tag.
  public var junk = 0
  /// The number of wrong sizes after tags.
  public var sizes = 0
  /// The faults of tags, whether repaired or not, as text.
  public var faults: [String] = []
  /// Whether the file ended inside a tag, which is left out.
  public var isTruncated = false
  /// The number of tags with colour information, which the older form cannot hold.
  public var lostColours = 0
  /// The number of tags with nanoseconds, which the older form cannot hold.
  public var lostNanoseconds = 0
  /// The number of key frames.
  public var keyFrames = 0
  /// Milliseconds from 0 to the end of the last frame.
  public var duration: Int64 = 0

  public init() {}
}
