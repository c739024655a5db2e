// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusFiles
internal import ApusMedia
internal import ApusMetadata
internal import Glibc
internal import HEIF
internal import ISOBMFF

/// The time at which a photo was taken and its camera, according to its Exif; unknown values are `nil`.
public struct PhotoOrigin: Hashable, Sendable {
  /// The time according to the camera's clock.
  public private(set) var taken: CalendarTime?
  /// The offset of that clock from UTC, in seconds.
  public private(set) var offset: Int?
  /// The model of the camera, or its make if the model is unknown.
  public private(set) var camera: String?

  /// Reads the origin of a photo. All values are `nil` for an unreadable photo, because the error is reported when it
  /// is converted.
  public init(_ source: any ByteSource, options: ConvertOptions = ConvertOptions()) {
    guard let kind = try? FileKind(of: source),
      let contents = try? PhotoContents(source, kind, options),
      let picture = try? contents.primaryPicture(),
      let exif = try? contents.source.metadata(of: picture).exif, let facts = ExifFacts(exif)
    else { return }
    taken = facts.taken.flatMap { CalendarTime(exif: $0) }
    offset = facts.offset.flatMap(Self.seconds)
    camera = facts.model ?? facts.make
  }

  /// Returns the seconds in a text such as `+01:00`.
  private static func seconds(_ text: String) -> Int? {
    let parts = text.dropFirst().split(separator: ":").map { Int($0) }
    guard text.hasPrefix("+") || text.hasPrefix("-"), parts.count == 2, let hours = parts[0],
      let minutes = parts[1], (0...23).contains(hours), (0...59).contains(minutes)
    else { return nil }
    return (text.hasPrefix("-") ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  /// The times for a file; if the photo has no time zone, that of this machine is assumed.
  public var times: FileTimes? {
    guard let taken else { return nil }
    var parts = unsafe tm()
    unsafe parts.tm_year = Int32(taken.year - 1900)
    unsafe parts.tm_mon = Int32(taken.month - 1)
    unsafe parts.tm_mday = Int32(taken.day)
    unsafe parts.tm_hour = Int32(taken.hour)
    unsafe parts.tm_min = Int32(taken.minute)
    unsafe parts.tm_sec = Int32(taken.second)
    unsafe parts.tm_isdst = -1
    let seconds = unsafe offset.map { unsafe timegm(&parts) - $0 } ?? mktime(&parts)
    return FileTimes(modification: timespec(tv_sec: seconds, tv_nsec: 0))
  }
}

extension CalendarTime {
  /// Creates the modification time of a file in this machine's time zone.
  public init?(_ times: FileTimes) {
    var seconds = times.modification.tv_sec
    var parts = unsafe tm()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return nil }
    let day = unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday]
    let time = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec]
    self.init((day + time).map(Int.init))
  }
}
