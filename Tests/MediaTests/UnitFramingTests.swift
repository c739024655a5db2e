// SPDX-License-Identifier: MIT

import ApusMedia
import Testing

@Suite struct UnitFramingTests {
  /// A slice of HEVC, an IDR picture.
  private static let slice: [UInt8] = [0x26, 0x01, 0xaf, 0x1d, 0x80, 0x95]

  @Test(
    arguments: [
      ([0, 6] + slice, nil),
      ([0, 6] + slice + [0, 2, 0x4e, 0x01], nil),
      ([0, 7] + slice, "has a NAL unit of 7 bytes at 2, where 6 are left"),
      ([0, 6] + slice + [0], "has 1 bytes after its last NAL unit, at 8"),
      ([0, 6] + slice + [0, 0, 1], "has a NAL unit of 0 bytes at 10, where 1 are left"),
      ([0], "has 1 bytes after its last NAL unit, at 0"),
      ([], "has no bytes"),
    ] as [([UInt8], String?)])
  func `it says where units do not fill their sample`(_ sample: [UInt8], _ message: String?) {
    #expect(failure(of: [sample]) == message)
  }

  @Test(
    arguments: [
      (2, 3, nil), (3, 3, "has 3 zero bytes at 8, within a slice"),
      (4, 1, "has 4 zero bytes at 8, within a slice"), (12, 0, nil), (64, 0, nil),
      (65, 0, "has 65 zero bytes at 8, within a slice"),
    ] as [(Int, Int, String?)])
  func `it finds zeros that no slice can hold, and takes a few at the end for padding`(
    _ count: Int, _ after: Int, _ message: String?
  ) {
    let zeros = [UInt8](repeating: 0, count: count)
    let unit = Self.slice + zeros + [UInt8](repeating: 9, count: after)
    #expect(failure(of: [[0, UInt8(unit.count)] + unit]) == message)
  }

  @Test
  func `it looks for zeros in slices alone`() {
    let message: [UInt8] = [0x4e, 0x01, 5, 0, 0, 0, 0, 5]
    #expect(failure(of: [[0, 8] + message]) == nil)
  }

  @Test
  func `it names the sample of several`() {
    #expect(
      failure(of: [[0, 6] + Self.slice, [0]])
        == "sample 2 of 2 has 1 bytes after its last NAL unit, at 0")
  }

  @Test(
    arguments: [
      ([0, 6] + slice, [0, 6] + slice), ([0, 9] + slice, [0, 6] + slice),
      ([0, 6] + slice + [0], [0, 6] + slice), ([0], []),
    ] as [([UInt8], [UInt8])])
  func `it makes the last unit end where its sample does`(_ sample: [UInt8], _ mended: [UInt8]) {
    #expect(UnitFraming(picture([sample]))?.mended(sample) == mended)
  }

  private func failure(of samples: [[UInt8]]) -> String? {
    let picture = picture(samples)
    do throws(MediaError) {
      try UnitFraming(picture)?.check(picture)
      return nil
    } catch {
      return error.message
    }
  }

  /// Lengths of two bytes.
  private func picture(_ samples: [[UInt8]]) -> CodedPicture {
    var configuration = [UInt8](repeating: 0, count: 23)
    configuration[21] = 1
    return CodedPicture(codec: .hevc, configuration: configuration, samples: samples)
  }
}
