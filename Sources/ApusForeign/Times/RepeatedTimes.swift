// SPDX-License-Identifier: MIT

/// Decides to which of two pictures the times of a packet belong, when libavformat gives them to both.
///
/// They belong to the first picture whose first byte is in the packet (ISO/IEC 13818-1, 2.4.3.7). If a start code spans
/// two packets, libavformat finds the picture in the second and gives it the times of that packet, but also gives them
/// to the picture that actually begins there first.
struct RepeatedTimes: Sendable {
  /// The duration of a picture, in units of the stream.
  private let frame: Int64
  /// The last picture, which is held until the next has come.
  private var last: ForeignSample?
  /// The last given decoding time, and the number of pictures since.
  private var said: (decode: Int64, pictures: Int64)?

  init(frame: Int64) { self.frame = frame }

  /// Returns the picture before this one, with only the times that belong to it.
  mutating func add(_ sample: ForeignSample) -> ForeignSample? {
    var sample = sample
    defer { last = sample }
    guard var before = last else { return nil }
    if let decode = sample.decodeTime, let shown = sample.presentationTime,
      decode == before.decodeTime, shown == before.presentationTime
    {
      if isNext(decode) {
        // The muxer assigned the picture to the packet in which its start code ends.
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

  /// Returns whether a picture decoded at this time follows the previous ones without a gap.
  private func isNext(_ decode: Int64) -> Bool {
    guard let said else { return false }
    let (length, overflow) = frame.multipliedReportingOverflow(by: said.pictures + 1)
    return !overflow && said.decode.addingReportingOverflow(length) == (decode, false)
  }
}
