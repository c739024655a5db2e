// SPDX-License-Identifier: MIT

import ApusMedia
import Testing

@Suite struct ChromaSiteTests {
  @Test(
    arguments: [
      (0, 0, 1), (1, 1, 1), (2, 0, 0), (3, 1, 0), (4, 0, 2), (5, 1, 2),
    ])
  func `it lies where Figure E.1 of ITU-T H.265 has it`(_ type: Int, _ across: Int, _ down: Int) {
    #expect(ChromaSite(type: type) == ChromaSite(across: across, down: down))
    #expect(ChromaSite(across: across, down: down).type == type)
  }

  @Test(arguments: [(0, 3), (1, 1), (2, 5)])
  func `it has the type of the nearest site where it has none`(_ down: Int, _ type: Int) {
    #expect(ChromaSite(across: 2, down: down).type == type)
  }

  /// Off the middle by half a sample to the left, that is by a third or a quarter of one in the small picture.
  @Test(arguments: [(60, false), (40, true)])
  func `it is nearer to the middle in a smaller picture`(_ small: Int, _ isCentre: Bool) {
    #expect(ChromaSite.left.scaled(from: 100, to: small) == (isCentre ? .centre : .left))
  }

  /// A sample of a square of two luma samples is a place, which turns with the square.
  @Test(arguments: 1...8)
  func `it is oriented as the picture is`(_ exif: Int) throws {
    let orientation = try #require(Orientation(exif: exif))
    for (across, down) in [(0, 1), (1, 1), (0, 0), (2, 0), (1, 2), (2, 1)] {
      let place = PixelRect(x: across, y: down, width: 1, height: 1)
        .laid(orientation, inWidth: 3, height: 3)
      #expect(
        ChromaSite(across: across, down: down).oriented(orientation)
          == ChromaSite(across: place.x, down: place.y))
    }
  }
}
