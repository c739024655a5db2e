// SPDX-License-Identifier: MIT

internal import FFmpeg
internal import Flow
internal import Media

/// What replaces an encoder when a transcode is measured: it gets the pictures that the encoder got and
/// compares each with the one of what was written that is shown at the same time.
///
/// Containers begin at times of their own, so times count from the first picture of each.
final class PictureComparison: PictureCoding {
  let name = ""
  let format: CodedTrack.Format
  private(set) var quality = VideoQuality()
  private var pictures: WrittenPictures
  private let onPicture: (VideoQuality, PictureLikeness) -> Void
  /// The next picture of what was written.
  private var ahead: VideoFrame?
  /// How much later pictures are shown in what was written, in microseconds, once one is known of each.
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

  /// Says which pictures these are, as soon as that is known.
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
