// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples

/// A replacement for an encoder that measures a transcode: it gets the pictures that the encoder got and compares each
/// with the written picture that is shown at the same time.
///
/// Containers begin at different times, so times count from the first picture of each.
final class PictureComparison: PictureCoding {
  let name = ""
  let format: CodedTrack.Format
  private(set) var quality = VideoQuality()
  private var pictures: WrittenPictures
  private let onPicture: (VideoQuality, PictureLikeness) -> Void
  /// The next written picture.
  private var ahead: VideoFrame?
  /// The delay of the written pictures, in microseconds, once a picture of each is known.
  private var shift: Int64?
  private var number = 0
  private var last: Int64?

  init(
    _ pictures: WrittenPictures, _ onPicture: @escaping (VideoQuality, PictureLikeness) -> Void
  ) {
    self.pictures = pictures
    self.onPicture = onPicture
    format = pictures.track.format
  }

  /// Sets the description of the pictures, as soon as it is known.
  func describe(rung: Ladder.Rung?, width: Int, height: Int) {
    quality.rung = rung
    quality.size = (width, height)
  }

  func encode(_ frame: VideoFrame, forcesKey: Bool) throws(MediaError) -> [CodedUnit] {
    number += 1
    if number == 1 { ahead = try pulled() }
    let moment = try microseconds(frame.time)
    let spacing = last.map { moment - $0 } ?? 40_000
    last = moment
    let length = RationalTime(frame.duration, per: frame.time.timescale).rounded(to: 1_000_000)
    let tolerance = max((length ?? 0 > 0 ? min(length ?? 0, spacing) : spacing) / 2, 1)
    if shift == nil, let ahead { shift = try microseconds(ahead.time) - moment }
    let expected = moment + (shift ?? 0)
    while let written = ahead, try microseconds(written.time) < expected - tolerance {
      quality.addExtra(at: written.time)
      ahead = try pulled()
    }
    guard let written = ahead, try microseconds(written.time) <= expected + tolerance else {
      quality.addMissing(at: RationalTime(expected, per: 1_000_000))
      return []
    }
    let likeness = try PictureLikeness(frame, written, number: number)
    quality.add(likeness)
    onPicture(quality, likeness)
    ahead = try pulled()
    return []
  }

  func finish() throws(MediaError) -> [CodedUnit] {
    while let written = ahead {
      quality.addExtra(at: written.time)
      ahead = try pulled()
    }
    return []
  }

  private func pulled() throws(MediaError) -> VideoFrame? {
    do {
      return try pictures.next()
    } catch {
      throw MediaError(error)
    }
  }

  private func microseconds(_ time: RationalTime) throws(MediaError) -> Int64 {
    guard let value = time.rounded(to: 1_000_000), value.magnitude < 1 << 61 else {
      throw MediaError(.limit, "a time is out of range", at: time)
    }
    return value
  }
}
