// SPDX-License-Identifier: MIT

import ApusMedia
import Testing

@testable import ApusPresentations
@testable import ApusSamples

struct SegmentBoundariesTests {
  private let second: Int64 = 1_000_000

  private func chosen(_ entrances: [Double], end: Double, longest: Double) -> [Double] {
    SegmentBoundaries.chosen(
      from: entrances.map { Int64($0 * 1e6) }, end: Int64(end * 1e6), longest: Int64(longest * 1e6)
    ).map { Double($0) / 1e6 }
  }

  @Test(
    arguments: [
      // Key frames every two seconds, and where they do not divide the length.
      ([0, 2, 4, 6, 8, 10, 12], 13, 6, [6, 12]), ([0, 4, 8, 12], 16, 6, [4, 8, 12]),
      // None comes in time: the next has to do.
      ([0, 10, 20], 25, 6, [10, 20]), ([0, 5, 20, 21], 30, 6, [5, 20, 21]),
      // A rest that is too long is cut where it can be.
      ([0, 6, 11], 16, 6, [6, 11]), ([0, 6, 11], 12, 6, [6]),
      ([0], 60, 6, []), ([], 60, 6, []), ([0.5, 6.4, 6.6], 9, 6, [6.4]),
      // A millisecond more is rounding.
      ([0, 6.001, 12.002], 13, 6, [6.001, 12.002]),
    ] as [([Double], Double, Double, [Double])])
  func `it begins segments at key frames`(
    entrances: [Double], end: Double, longest: Double, expected: [Double]
  ) {
    #expect(chosen(entrances, end: end, longest: longest) == expected)
  }

  @Test func `it finds the key frames that all have`() {
    let found = SegmentBoundaries.common([
      [0, 2_000_000, 4_000_000, 6_000_000], [0, 2_001_000, 5_000_000, 5_999_000],
    ])
    #expect(found == [[0, 2_000_000, 6_000_000], [0, 2_001_000, 5_999_000]])
  }

  @Test func `it cuts sound where the video is cut, and further behind its end`() {
    #expect(SegmentBoundaries.even(after: [6, 12], videoEnd: 15, to: 16, each: 6) == [6, 12])
    let alone = SegmentBoundaries.even(after: [], videoEnd: 0, to: 14 * second, each: 6 * second)
    #expect(alone == [6 * second, 12 * second])
    let longer = SegmentBoundaries.even(
      after: [6 * second], videoEnd: 10 * second, to: 20 * second, each: 6 * second)
    #expect(longer == [6 * second, 10 * second, 16 * second])
  }

  /// RFC 8216, 4.1: runs of less than half a target duration do not count.
  @Test func `it measures the peak over runs of segments`() {
    let rates = SegmentRates(segments: [
      (1000, 4 * second), (2000, 4 * second), (9000, second), (500, 4 * second),
    ])
    #expect(rates.average == 7693)
    // 2000 and 9000 bytes in five seconds, for the third alone is too short.
    #expect(rates.peak(target: 4) == 17600)
    #expect(SegmentRates(segments: [(1000, second)]).peak(target: 6) == 8000)
    #expect(SegmentRates().average == 0)
  }

  @Test(arguments: [
    ("eng", "en"), ("ger", "de"), ("deu", "de"), ("fre", "fr"), ("zho", "zh"), ("gsw", "gsw"),
    ("und", nil), ("zxx", nil),
  ]) func `it names languages by their shortest tag`(letters: String, tag: String?) {
    #expect(LanguageTag.of(letters) == tag)
  }

  @Test(arguments: [
    ("en", "eng"), ("en-GB", "eng"), ("de", "deu"), ("fr-CA", "fra"), ("gsw", "gsw"), ("x", "und"),
    ("ms", "msa"),
  ]) func `it finds the letters of a tag`(tag: String, letters: String) {
    #expect(LanguageTag.letters(of: tag) == letters)
  }

  /// Rates that cameras have, from lengths that containers rounded to milliseconds.
  @Test(
    arguments: [
      (900, 10_000_011, 90_000), (270, 9_009_000, 29_970), (269, 8_975_633, 29_970),
      (225, 9_000_000, 25_000), (216, 9_009_000, 23_976), (28, 1_017_400, 27_521),
      (600, 10_010_000, 59_940),
    ] as [(Int, Int64, Int64)])
  func `it says rates as they are meant`(frames: Int, length: Int64, thousandths: Int64) {
    #expect(FrameRateText.rate(frames: frames, microseconds: length)?.value == thousandths)
  }

  @Test func `it groups sound so that all groups offer the same`() {
    func sound(_ codec: String, _ language: String, _ title: String = "") -> HLSReport.Rendition {
      var sound = HLSReport.Rendition(
        input: 0, track: "", kind: .audio, name: "\(codec)-\(language)\(title)")
      (sound.codec, sound.language, sound.title) = (codec, language, title)
      return sound
    }
    func groups(_ sounds: [HLSReport.Rendition]) -> [[String]] {
      SoundGroups(sounds).groups.map { $0.map { "\($0.title): \($0.sound.codec)" } }
    }
    #expect(groups([]).isEmpty)
    #expect(
      groups([
        sound("mp4a.40.2", "eng"), sound("mp4a.40.5", "deu", "SoundHandler"), sound("ac-3", "eng"),
      ]) == [
        ["English: mp4a.40.2", "Deutsch: mp4a.40.5"], ["English: ac-3", "Deutsch: mp4a.40.5"],
      ])
    // Each language in one codec only: a second group would be the same again.
    #expect(groups([sound("mp4a.40.2", "eng"), sound("ec-3", "und")]).count == 1)
    #expect(
      groups([
        sound("mp4a.40.2", "eng"), sound("mp4a.40.2", "eng", "Comments"), sound("mp4a.40.2", "eng"),
      ])
        == [["English: mp4a.40.2", "Comments: mp4a.40.2", "English 2: mp4a.40.2"]])
  }
}
