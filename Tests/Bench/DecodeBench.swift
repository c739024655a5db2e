// SPDX-License-Identifier: MIT

import ApusBytes
import ApusDe265
import ApusFFmpeg
import ApusFiles
import ApusIntra
import ApusMedia
import Glibc
import HEIF
import HEVC
import ISOBMFF

/// The HEVC pictures of a photo's primary item, decoded on one thread by every decoder in turns: processor time for a
/// picture. `decode FILE [STREAM]` writes them as a byte stream, too, for programs of others.
func benchDecode(_ arguments: [String]) throws {
  guard let path = arguments.first else { return }
  let file = PhotoFile(try BoxTree(reading: try FileSource(path)))
  let sources = try file.plan(try file.primaryPicture()).sources.filter { $0.codec == .hevc }
  let pictures = try sources.map { try $0.loaded() }
  report("pictures", Double(pictures.count), "")
  if arguments.count > 1 { try writeStream(pictures, to: arguments[1]) }
  let decoders: [any PictureDecoder] = [IntraDecoder(), try FFmpegDecoder(), try De265Decoder()]
  var times = decoders.map { _ in [Double]() }
  for turn in 0..<4 {
    for (index, decoder) in decoders.enumerated() {
      let start = processorSeconds()
      for picture in pictures { try unsafe decoder.decode(picture) { _ in } }
      if turn > 0 { times[index].append(processorSeconds() - start) }
    }
  }
  for (index, decoder) in decoders.enumerated() {
    let sorted = times[index].sorted()
    report(decoder.name, sorted[sorted.count / 2] * 1e3 / Double(pictures.count), "ms")
    report("\(decoder.name), best", sorted[0] * 1e3 / Double(pictures.count), "ms")
  }
}

private func processorSeconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Start codes before all units, the parameter sets of each picture before it.
private func writeStream(_ pictures: [CodedPicture], to path: String) throws {
  var stream: [UInt8] = []
  for picture in pictures {
    let record = try DecoderConfigurationRecord(picture.configuration)
    let units = UnitFraming(picture)?.units(of: picture.samples[0]) ?? []
    for unit in record.arrays.flatMap(\.nalUnits) + units.map({ Array(picture.samples[0][$0]) }) {
      stream += [0, 0, 0, 1] + unit
    }
  }
  guard let output = unsafe fopen(path, "wb") else { return }
  unsafe fwrite(stream, 1, stream.count, output)
  unsafe fclose(output)
}
