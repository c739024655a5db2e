// SPDX-License-Identifier: MIT

/// The facts of all samples of a track, without their contents.
public struct SampleFacts: Hashable, Sendable {
  /// The number of samples.
  public var count = 0
  /// The size of all samples in bytes.
  public var bytes = 0
  /// The size of the largest sample in bytes.
  public var largest = 0
  /// The duration of all samples, in media time.
  public var duration: Int64 = 0
  /// The time from the first presentation of a sample to the end of the last, in media time; `nil` without samples.
  public var shown: Range<Int64>?
  /// The shortest and the longest duration of all samples except the last, which many writers round.
  public var shortest: Int64?
  /// The longest duration of all samples except the last, in media time.
  public var longest: Int64?
  /// The number of samples at which decoding may begin.
  public var keyCount = 0
  /// The most samples from one key sample to the next.
  public var longestGroup = 0
  /// The number of samples past the end of the file.
  public var missing = 0
}
