// SPDX-License-Identifier: MIT

/// Decides which of two pictures the times of a packet belong to, where libavformat gives them to both.
///
/// They belong to the first picture whose first byte is in the packet (ISO/IEC 13818-1, 2.4.3.7). Where a start code lies
/// across two packets, libavformat finds the picture in the second, and gives it the times of that one; it does not take
/// them back, so that the picture which really begins there first has the same.
struct RepeatedTimes: Sendable {
  /// How long a picture lasts, in units of the stream.
  private let frame: Int64
  /// The last picture, which is kept until the next has come.
  private var last: ForeignSample?
  /// The last decoding time that was said, and how many pictures came since.
  private var said: (decode: Int64, pictures: Int64)?

  init(frame: Int64) { self.frame = frame }

  /// Returns the picture before this one, with the times that are its own.
  mutating func add(_ sample: ForeignSample) -> ForeignSample? {
    var sample = sample
    defer { last = sample }
    guard var before = last else { return nil }
    if let decode = sample.decodeTime, let shown = sample.presentationTime,
      decode == before.decodeTime, shown == before.presentationTime
    {
      if isNext(decode) {
        // Another muxer counts the picture to the packet in which its start code ends.
        (sample.decodeTime, sample.presentationTime) = (nil, nil)
      } else {
        (before.decodeTime, before.presentationTime) = (nil, nil)
      }
    }
    if let decode = before.decodeTime {
      said = (decode, 0)
    } else {
      said?.pictures += 1
    }
    return before
  }

  /// Returns the last picture.
  mutating func finish() -> ForeignSample? {
    defer { last = nil }
    return last
  }

  /// Whether a picture that is decoded then follows the ones before without a gap.
  private func isNext(_ decode: Int64) -> Bool {
    guard let said else { return false }
    let (length, overflow) = frame.multipliedReportingOverflow(by: said.pictures + 1)
    return !overflow && said.decode.addingReportingOverflow(length) == (decode, false)
  }
}
