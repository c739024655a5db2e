// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

/// The details of an open container, copied out of the library.
struct ForeignDetails {
  let streams: [ForeignStream]
  let chapters: [ForeignChapter]
  let tags: [ForeignTag]
  let isDiscontinuous: Bool
  let hasTimes: Bool
  let duration: RationalTime?

  @unsafe init(_ context: UnsafeMutablePointer<AVFormatContext>, _ library: LibAVFormat) {
    let read = unsafe context.pointee
    streams = unsafe (0..<Int(read.nb_streams)).compactMap { index in
      unsafe read.streams[index].map { unsafe ForeignStream($0, library) }
    }
    chapters = unsafe (0..<Int(read.nb_chapters)).compactMap { index in
      unsafe read.chapters[index].flatMap { unsafe Self.chapter($0, library) }
    }
    tags = unsafe Self.tags(read.metadata, library) + Self.programTitle(read, library)
    isDiscontinuous = unsafe read.iformat.pointee.flags & AVFMT_TS_DISCONT != 0
    hasTimes = unsafe read.iformat.pointee.flags & AVFMT_NOTIMESTAMPS == 0
    let isSaid = unsafe read.duration_estimation_method == AVFMT_DURATION_FROM_STREAM
    duration =
      unsafe isSaid && read.duration > 0 ? RationalTime(read.duration, per: 1_000_000) : nil
  }

  /// Returns the name of the only program of a transport stream, unless it is the one that FFmpeg's muxer writes by
  /// default.
  @unsafe private static func programTitle(_ read: AVFormatContext, _ library: LibAVFormat)
    -> [ForeignTag]
  {
    guard unsafe read.nb_programs == 1, let program = unsafe read.programs[0] else { return [] }
    let name = unsafe tags(program.pointee.metadata, library).first { $0.name == "service_name" }
    guard let name, !name.value.isEmpty, name.value != "Service01" else { return [] }
    return [ForeignTag(name: "title", value: name.value)]
  }

  @unsafe private static func chapter(
    _ chapter: UnsafeMutablePointer<AVChapter>, _ library: LibAVFormat
  ) -> ForeignChapter? {
    let unit = unsafe chapter.pointee.time_base
    guard let start = unsafe time(chapter.pointee.start, unit) else { return nil }
    return unsafe ForeignChapter(
      start: start, end: time(chapter.pointee.end, unit),
      title: tags(chapter.pointee.metadata, library).first { $0.name == "title" }?.value ?? "")
  }

  /// Returns `nil` if there is none, or it is out of range.
  private static func time(_ value: Int64, _ unit: AVRational) -> RationalTime? {
    guard value != apus_no_time, unit.num > 0, unit.den > 0 else { return nil }
    let (units, overflow) = value.multipliedReportingOverflow(by: Int64(unit.num))
    return overflow ? nil : RationalTime(units, per: UInt32(unit.den))
  }

  @unsafe static func tags(_ dictionary: OpaquePointer?, _ library: LibAVFormat) -> [ForeignTag] {
    var result: [ForeignTag] = []
    var entry: UnsafePointer<AVDictionaryEntry>?
    while result.count < 1000,
      let found = unsafe library.call.av_dict_get(
        dictionary, "", entry, AV_DICT_IGNORE_SUFFIX)
    {
      unsafe result.append(
        ForeignTag(
          name: String(cString: found.pointee.key), value: String(cString: found.pointee.value)))
      unsafe entry = UnsafePointer(found)
    }
    return result
  }
}
