// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples

/// A track whose samples are searched for.
struct RecoverableTrack: Sendable {
  /// The way in which samples of the track are recognized.
  enum Structure: Sendable {
    /// By the syntax of NAL units.
    case pictures(PictureFinder)
    /// By the syntax of AAC frames.
    case frames(AACFrameReader)
    /// By their size, and bytes that all of them have in common.
    case pattern(BytePattern)
    /// Uncompressed sound, in which any bytes are valid: everything up to the next sample of another track.
    case moments(size: Int)
    /// Not at all.
    case unknown
  }

  /// The description that the recovered movie gets.
  var coded: CodedTrack
  var structure: Structure
  /// The rate of its samples, from which their times follow.
  var rate: SampleRate
  /// The time at which its first sample is shown, in units of its timescale.
  var start: Int64 = 0
  /// The time by which its first sample is decoded before any is shown, in the healthy movie.
  var lead: Int64 = 0
  /// The sizes of its chunks in the healthy movie, in bytes; empty if unknown.
  var chunkSizes: Set<Int> = []
  /// The number of samples in each of its chunks in the healthy movie.
  var chunkCounts: [Int] = []

  /// Whether the structure shows where a sample of the track begins.
  var isRecognizable: Bool {
    switch structure {
    case .pictures, .frames, .pattern: true
    case .moments, .unknown: false
    }
  }
}

/// Bytes that all samples of a track have in common, which have one size.
struct BytePattern: Sendable {
  let size: Int
  /// The first bytes; `nil` for those that differ.
  let bytes: [UInt8?]

  /// Returns `nil` if the samples differ in size, or have too few bytes in common.
  init?(_ samples: [[UInt8]], size: Int) {
    // A single sample shows which bytes recur only if all of them are seen.
    guard let first = samples.first, samples.count > 1 || first.count == size else { return nil }
    self.size = size
    bytes = first.indices.map { index in
      samples.allSatisfy { $0.count == first.count && $0[index] == first[index] }
        ? first[index] : nil
    }
    let known = bytes.compactMap(\.self)
    guard known.count >= (samples.count > 1 ? 4 : 8), known.contains(where: { $0 > 0 }) else {
      return nil
    }
  }

  /// Returns whether a sample can begin with these bytes.
  func matches(_ start: ArraySlice<UInt8>) -> Bool {
    start.count >= bytes.count
      && zip(bytes, start).allSatisfy { expected, found in expected == nil || expected == found }
  }
}
