// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg
internal import Synchronization

/// Watches a video decoder while it works: marks the memory of its pictures, and records its messages about missing
/// pictures. The decoder's threads call it concurrently.
@safe final class DecoderWatch: FrameOwner, Sendable {
  struct Complaint: Sendable {
    var words: String
    /// The time of the picture that was being decoded.
    var time: Int64?
  }

  /// Marks that are written before the picture is decoded and read afterwards, never at the same time.
  @safe private struct Marks: @unchecked Sendable {
    let marks: CoverageMarks
  }

  private struct State: Sendable {
    var complaints: [Complaint] = []
    /// The last error reported about anything.
    var words = ""
    /// The time of the picture that a thread decodes, by the address of its context.
    var times: [UInt: Int64] = [:]
    /// The number of the sample of that picture, by the address of its context.
    var numbers: [UInt: Int64] = [:]
    var hasGaps = false
    /// The marks in each picture, by the address of its first sample.
    var marks: [UInt: Marks] = [:]
    /// The time at which the stream began; earlier pictures may not be decodable, and are not checked.
    var start: Int64?
  }

  let library: LibAV
  private let codec: PictureCodec?
  private var hasMarks: Bool { codec != nil }
  private let state = Mutex(State())

  /// - Parameter codec: a codec whose slices cover every picture.
  init(_ library: LibAV, codec: PictureCodec?) {
    self.library = library
    self.codec = codec
  }

  deinit { LibraryLog.remove(address) }

  var address: UInt { unsafe UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

  /// Begins at a sample with this presentation time.
  func begin(at time: Int64) { state.withLock { $0.start = time } }

  /// Sets whether H.264's frame numbers may have gaps on purpose.
  func allowGaps(_ hasGaps: Bool) { state.withLock { $0.hasGaps = hasGaps } }

  func takeComplaints() -> [Complaint] {
    state.withLock { state in
      let complaints = state.complaints
      state.complaints = []
      return complaints
    }
  }

  func takeWords() -> String {
    state.withLock { state in
      defer { state.words = "" }
      return state.words
    }
  }

  /// The messages of libavcodec when it conceals a picture and continues.
  private static let absences = [
    "Could not find ref with POC", "Missing reference picture", "reference picture missing",
  ]

  func note(_ words: String, by context: UInt) {
    let isAbsence = Self.absences.contains { words.hasPrefix($0) }
    state.withLock { state in
      state.words = words
      guard isAbsence else { return }
      let time = state.times[context]
      if let time, let start = state.start, time < start { return }
      state.complaints.append(Complaint(words: words, time: time))
    }
  }

  @unsafe func mark(_ frame: UnsafeMutablePointer<AVFrame>, of context: UInt) {
    let time = unsafe frame.pointee.pts
    let number = unsafe apus_number(frame)
    let marks = unsafe hasMarks ? marks(on: frame).map { unsafe Marks(marks: $0) } : nil
    state.withLock { state in
      state.times[context] = time == apus_no_time ? nil : time
      // A second picture for one sample was invented by libavcodec, which does not report it.
      if codec == .avc, !state.hasGaps, number > 0, state.numbers[context] == number,
        state.start.map({ time >= $0 }) ?? true
      {
        let words = "frame_num leaves out pictures"
        state.complaints.append(
          Complaint(words: words, time: time == apus_no_time ? nil : time))
      }
      state.numbers[context] = number
      if let marks, let data = unsafe frame.pointee.data.0 {
        state.marks[UInt(bitPattern: data)] = marks
      }
    }
  }

  /// Returns the first block of a picture that was not decoded, in luma samples before cropping.
  @unsafe func uncovered(_ frame: UnsafeMutablePointer<AVFrame>) -> (x: Int, y: Int)? {
    guard hasMarks, let data = unsafe frame.pointee.data.0 else { return nil }
    let place = UInt(bitPattern: data)
    let known = state.withLock { state in
      // Cropping moves the first sample, which is still inside its picture.
      state.marks[place]
        ?? state.marks.values.first { unsafe $0.marks.contains(place) }
    }
    return unsafe known?.marks.uncovered()
  }
}
