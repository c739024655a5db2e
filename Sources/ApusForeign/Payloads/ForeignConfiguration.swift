// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
internal import ISOBMFF

/// The decoder configurations of further codecs, in the form of movies and Flash Video.
enum ForeignConfiguration {
  /// - Parameter packet: the first packet of the stream, for codecs whose container omits the configuration.
  static func bytes(of stream: ForeignStream, first packet: [UInt8] = []) -> [UInt8] {
    let given = stream.configuration
    switch stream.codec {
    // For these, each frame contains all of it.
    case "mp3", "mp2", "ac3", "eac3", "dts", "truehd", "mjpeg", "prores", "dnxhd": return []
    case "flac": return flac(given)
    case "av1": return given.first == 0x81 ? given : av1(given + packet)
    case "vp8", "vp9": return vp(stream)
    default: return given
    }
  }

  /// Returns `fLaC` and its blocks; libavformat only provides the first block.
  private static func flac(_ given: [UInt8]) -> [UInt8] {
    let magic = Array("fLaC".utf8)
    let size = 34
    if given.starts(with: magic) || given.count < size { return given }
    return magic + [0x80, 0, 0, UInt8(size)] + given.prefix(size)
  }

  /// Returns the record of VP8 and VP9, which WebM omits: VP Codec ISO Media File Format Binding, 1.0.
  private static func vp(_ stream: ForeignStream) -> [UInt8] {
    let colour = stream.picture.colour
    var record = VPConfiguration()
    record.profile = UInt8(clamping: stream.profile ?? 0)
    record.level = level(of: stream)
    record.bitDepth = UInt8(clamping: stream.bitDepth == 0 ? 8 : min(stream.bitDepth, 12))
    record.chromaSubsampling =
      switch stream.chromaShift {
      case (0, 0): 3
      case (1, 0): 2
      default: 1
      }
    record.videoFullRangeFlag = colour?.isFullRange ?? false
    record.colourPrimaries = UInt8(clamping: colour?.primaries ?? 2)
    record.transferCharacteristics = UInt8(clamping: colour?.transfer ?? 2)
    record.matrixCoefficients = UInt8(clamping: colour?.matrix ?? 2)
    return written(record)
  }

  /// Returns the record of AV1, which bare streams and AVI omit.
  private static func av1(_ units: [UInt8]) -> [UInt8] {
    AV1Configuration(inUnits: units).map(written) ?? []
  }

  private static func written(_ record: some SyntaxStructure) -> [UInt8] {
    var record = record
    var writer = SyntaxWriter(ArraySink())
    do {
      try record.syntax(&writer)
    } catch {
      return []
    }
    return writer.sink.bytes
  }

  /// Returns the lowest level that allows such pictures: VP9 Bitstream and Decoding Process Specification, Annex A.
  private static func level(of stream: ForeignStream) -> UInt8 {
    let size = stream.width.multipliedReportingOverflow(by: stream.height)
    let pictures = size.overflow ? Int.max : size.partialValue
    let rate = stream.frameRate.map { max($0.numerator / max($0.denominator, 1), 1) } ?? 30
    let samples = pictures.multipliedReportingOverflow(by: rate)
    let rows: [(level: UInt8, size: Int, rate: Int)] = [
      (10, 36_864, 829_440), (11, 73_728, 2_764_800), (20, 122_880, 4_608_000),
      (21, 245_760, 9_216_000), (30, 552_960, 20_736_000), (31, 983_040, 36_864_000),
      (40, 2_228_224, 83_558_400), (41, 2_228_224, 160_432_128), (50, 8_912_896, 311_951_360),
      (51, 8_912_896, 588_251_136), (52, 8_912_896, 1_176_502_272),
      (60, 35_651_584, 1_176_502_272), (61, 35_651_584, 2_353_004_544),
    ]
    let wanted = samples.overflow ? Int.max : samples.partialValue
    return rows.first { $0.size >= pictures && $0.rate >= wanted }?.level ?? 62
  }
}
