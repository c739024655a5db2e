// SPDX-License-Identifier: MIT

internal import CFFmpeg
internal import Media
internal import Synchronization

/// What a decoder of moving pictures does while it decodes: the memory that it takes, with marks in it, and its words
/// about pictures that are not there. Its threads tell it at the same time.
@safe final class DecoderWatch: Sendable {
  struct Complaint: Sendable {
    var words: String
    /// The time of the picture that was being decoded.
    var time: Int64?
  }

  /// Marks that are written before the picture is decoded and read after it, never at the same time.
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
    /// The marks on each picture, by the address of its first sample.
    var marks: [UInt: Marks] = [:]
    /// The time at which the stream began; earlier pictures may not be decodable, and are not asked for.
    var start: Int64?
  }

  private let library: LibAV
  private let codec: PictureCodec?
  private var hasMarks: Bool { codec != nil }
  private let state = Mutex(State())

  /// - Parameter codec: one whose slices cover every picture.
  init(_ library: LibAV, codec: PictureCodec?) {
    self.library = library
    self.codec = codec
  }

  deinit { LibraryLog.remove(address) }

  var address: UInt { unsafe UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

  /// Begins at a sample that is shown then.
  func begin(at time: Int64) { state.withLock { $0.start = time } }

  /// Whether pictures may be left out of the count of H.264's frames on purpose.
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

  /// Takes the place of libavcodec's own allocation, of which it makes use.
  @unsafe static func allocate(
    _ context: UnsafeMutablePointer<AVCodecContext>?, _ frame: UnsafeMutablePointer<AVFrame>?,
    _ flags: Int32
  ) -> Int32 {
    guard let context = unsafe context, let frame = unsafe frame,
      let owner = unsafe context.pointee.opaque
    else { return apus_error_eof }
    let watch = unsafe Unmanaged<DecoderWatch>.fromOpaque(owner).takeUnretainedValue()
    let code =
      unsafe watch.library.call.avcodec_default_get_buffer2?(context, frame, flags)
      ?? apus_error_eof
    if code >= 0 { unsafe watch.look(at: frame, by: UInt(bitPattern: context)) }
    return code
  }

  private func look(at frame: UnsafeMutablePointer<AVFrame>, by context: UInt) {
    let time = unsafe frame.pointee.pts
    let number = unsafe apus_number(frame)
    let marks = unsafe hasMarks ? marks(on: frame) : nil
    state.withLock { state in
      state.times[context] = time == apus_no_time ? nil : time
      // A second picture for one sample is one that was made up, of which libavcodec says nothing.
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

  private func marks(on frame: UnsafeMutablePointer<AVFrame>) -> Marks? {
    let format = unsafe AVPixelFormat(frame.pointee.format)
    guard let base = unsafe frame.pointee.data.0,
      let description = library.call.av_pix_fmt_desc_get?(format)
    else { return nil }
    return unsafe Marks(
      marks: CoverageMarks(
        base: UnsafeMutableRawPointer(base), stride: Int(frame.pointee.linesize.0),
        width: Int(frame.pointee.width), height: Int(frame.pointee.height),
        bytesPerSample: description.pointee.comp.0.depth > 8 ? 2 : 1))
  }

  /// The first block of a picture, in its luma samples before cropping, that was not decoded.
  @unsafe func uncovered(_ frame: UnsafeMutablePointer<AVFrame>) -> (x: Int, y: Int)? {
    guard hasMarks, let data = unsafe frame.pointee.data.0 else { return nil }
    let place = UInt(bitPattern: data)
    let known = state.withLock { state in
      // Cropping moves the first sample on; it stays among those of its picture.
      state.marks[place]
        ?? state.marks.values.first { unsafe $0.marks.contains(place) }
    }
    return unsafe known?.marks.uncovered()
  }
}
