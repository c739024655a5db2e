// SPDX-License-Identifier: MIT

import ApusJPEG
import ApusMedia
import TestSupport
import Testing

@Suite struct JPEGWholeTests {
  @Test(arguments: Chroma.allCases, [(17, 13), (67, 45)])
  func `it decodes to the same samples in every form`(
    _ chroma: Chroma, _ sides: (width: Int, height: Int)
  ) throws {
    let picture = planes(sides.width, sides.height, chroma)
    var settings = JPEGSettings(width: sides.width, height: sides.height, chroma: chroma)
    let baseline = try decoded(encoded(picture, settings)).samples
    settings.isOptimized = true
    #expect(try decoded(encoded(picture, settings)).samples == baseline)
    settings.isProgressive = true
    let progressive = try encoded(picture, settings)
    #expect(try JPEGHeader(progressive).isProgressive)
    #expect(try decoded(progressive).samples == baseline)
  }

  @Test(
    .enabled(if: isInstalled("cjpeg")), arguments: ["", "-optimize", "-progressive"], [1, 75, 100])
  func `it writes the bytes that cjpeg writes for luma`(_ form: String, _ quality: Int) throws {
    let picture = planes(67, 45, .monochrome)
    var settings = JPEGSettings(width: 67, height: 45, chroma: .monochrome, quality: quality)
    settings.isOptimized = !form.isEmpty
    settings.isProgressive = form == "-progressive"
    let folder = try TestFolder()
    try folder.write(unsafe Array("P5\n67 45\n255\n".utf8) + picture.view.samples(0), to: "a.pgm")
    try folder.run("cjpeg -grayscale -baseline -quality \(quality) \(form) -outfile a.jpg a.pgm")
    #expect(try encoded(picture, settings) == folder.read("a.jpg"))
  }

  /// Rows come in bands of 16.
  private func encoded(_ picture: Picture, _ settings: JPEGSettings) throws -> [UInt8] {
    let encoder = try JPEGWholeEncoder(settings)
    var bytes = try encoder.begin()
    for top in stride(from: 0, to: settings.height, by: 16) {
      let view = unsafe picture.band(top..<min(top + 16, settings.height))
      bytes += try unsafe encoder.append(view)
    }
    return try bytes + encoder.finish()
  }
}
