// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia

extension RasterHeader {
  /// Reads the header of a frame of a YUV4MPEG2 stream.
  ///
  /// - Parameter frame: the index of the frame.
  init(y4m data: Extent, frame: Int) throws(SyntaxError) {
    guard let line = try Self.line(of: data, at: 0) else {
      throw SyntaxError(
        .invalid, field: "header", offset: 0, detail: "of YUV4MPEG2 does not end")
    }
    let words = line.split(separator: 0x20).dropFirst().map { String(decoding: $0, as: UTF8.self) }
    let value = { (letter: Character) in
      words.first { $0.first == letter }.map { String($0.dropFirst()) }
    }
    guard let width = value("W").flatMap({ Int($0) }), let height = value("H").flatMap({ Int($0) })
    else {
      throw SyntaxError(
        .invalid, field: "header", offset: 0, detail: "of YUV4MPEG2 has no width or no height")
    }
    try Self.check(width, height)
    let name = value("C") ?? "420"
    guard let (chroma, depth) = Self.samples(named: name) else {
      throw SyntaxError(
        .unsupported, field: "colour space", offset: 0,
        detail: "is \(name); supported are mono, 420, 422 and 444 with 8 to 16 bits")
    }
    let format = PictureFormat(width: width, height: height, chroma: chroma, bitDepth: depth)
    raster = Raster(format, .planes, largest: 1 << depth - 1)
    site = Self.site(named: name)
    // The matrix is not stated; players choose the one that is usual for the size.
    let code = height > 576 ? 1 : 6
    colour = ColourDescription(
      primaries: 2, transfer: 2, matrix: code,
      isFullRange: words.contains("XCOLORRANGE=FULL"))
    var place = line.count + 1
    for _ in 0..<max(frame, 0) {
      place += try Self.frameHeader(of: data, at: place) + raster.byteCount
    }
    place += try Self.frameHeader(of: data, at: place)
    self.data = try Self.samples(of: raster, in: data, at: place)
    if let shape = value("A"), !Self.isSquare(shape) {
      findings.append(
        Finding(
          .warning, rule: "samples-not-square", path: "", offset: 0,
          message: "has samples of \(shape), which are treated as square"))
    }
    if let order = value("I"), ["t", "b", "m"].contains(order) {
      findings.append(
        Finding(
          .warning, rule: "interlaced", path: "", offset: 0,
          message: "has interlaced frames (I\(order)), which are treated as progressive"))
    }
  }

  /// Returns whether an aspect ratio is 1:1 or unknown.
  private static func isSquare(_ shape: String) -> Bool {
    let numbers = shape.split(separator: ":")
    return numbers.count != 2 || numbers[0] == numbers[1]
  }

  private static func frameHeader(of data: Extent, at place: Int) throws(SyntaxError) -> Int {
    guard let line = try line(of: data, at: place), line.starts(with: "FRAME".utf8) else {
      throw SyntaxError(
        .invalid, field: "FRAME", offset: place,
        detail: place < data.count ? "is not where a frame should begin" : "is missing")
    }
    return line.count + 1
  }

  /// Returns the sampling and bit depth of a name such as `420jpeg`, `422p10` or `mono12`.
  private static func samples(named name: String) -> (Chroma, Int)? {
    let forms: [(prefix: String, chroma: Chroma)] = [
      ("mono", .monochrome), ("420", .yuv420), ("422", .yuv422), ("444", .yuv444),
    ]
    guard let form = forms.first(where: { name.hasPrefix($0.prefix) }) else { return nil }
    let rest = name.dropFirst(form.prefix.count)
    if ["", "jpeg", "mpeg2", "paldv"].contains(rest) { return (form.chroma, 8) }
    let digits = rest.hasPrefix("p") ? rest.dropFirst() : rest
    guard let depth = Int(digits), (9...16).contains(depth) else { return nil }
    return (form.chroma, depth)
  }

  /// Returns the position of colour samples. Plain 4:2:0 is that of JPEG, which was the first to be written this way.
  private static func site(named name: String) -> ChromaSite {
    switch name {
    case "420", "420jpeg": .centre
    case "420paldv": .topLeft
    default: .left
    }
  }
}
