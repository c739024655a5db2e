// SPDX-License-Identifier: MIT

/// The language and the title of a track in `onMetaData`. Enhanced RTMP does not define them: for further tracks they
/// are in the maps that describe these, for the first of a kind in separate members (`audiolanguage`, `audiotitle`).
public struct TrackWords: Hashable, Sendable {
  /// The kind of a track.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case video, audio

    /// The member with a map of all tracks but the first: Enhanced RTMP v2, "Metadata Frame".
    public var map: String { "\(rawValue)TrackIdInfoMap" }
  }

  /// Three letters (ISO 639-2); `nil` if it is not given.
  public var language: String?
  /// The title; `nil` if it is not given.
  public var title: String?

  /// - Parameters:
  ///   - language: `und` for none.
  ///   - title: empty for none.
  init(language: String, title: String) {
    self.language = language == "und" ? nil : language
    self.title = title.isEmpty ? nil : title
  }

  /// Reads the words of a track from metadata.
  public init(of kind: Kind, id: UInt8, in metadata: AMFObject) {
    let own = id == 0 ? metadata : metadata[kind.map]?.members?[String(id)]?.members
    let names = Self.names(of: kind, id: id)
    let language = own?[names.language]?.text ?? ""
    let isCode = language.utf8.count == 3 && language.utf8.allSatisfy { (0x61...0x7a).contains($0) }
    self.init(language: isCode ? language : "und", title: own?[names.title]?.text ?? "")
  }

  func write(to object: inout AMFObject, of kind: Kind, id: UInt8) {
    let names = Self.names(of: kind, id: id)
    if let language { object[names.language] = .string(AMFText(language)) }
    if let title { object[names.title] = .string(AMFText(title)) }
  }

  private static func names(of kind: Kind, id: UInt8) -> (language: String, title: String) {
    id == 0 ? ("\(kind.rawValue)language", "\(kind.rawValue)title") : ("language", "title")
  }
}

extension AMFObject {
  /// Titles, authors and the like: all texts except those with a special meaning, with their names, as FFmpeg writes
  /// and reads them.
  public var tags: [(name: String, value: String)] {
    members.compactMap { member in
      let name = member.name.description
      guard Self.isTag(name), let text = member.value.text, !text.isEmpty else { return nil }
      return (name, text)
    }
  }

  /// Returns whether a member of this name would be a tag.
  public static func isTag(_ name: String) -> Bool {
    !name.isEmpty && !meanings.contains(name.lowercased())
  }

  /// Members that describe the file or its tracks: Flash Video 10.1, E.5, Enhanced RTMP v2, and those that FFmpeg, OBS
  /// and editors of Flash Video add.
  private static let meanings: Set<String> = [
    "duration", "filesize", "width", "height", "framerate", "fps", "videodatarate", "videocodecid",
    "audiodatarate", "audiosamplerate", "audiosamplesize", "audiochannels", "audiocodecid",
    "stereo",
    "audiodelay", "encoder", "videotrackidinfomap", "audiotrackidinfomap", "videolanguage",
    "videotitle", "audiolanguage", "audiotitle", "keyframes", "canseektoend", "haskeyframes",
    "hasvideo", "hasaudio", "hasmetadata", "hascuepoints", "datasize", "videosize", "audiosize",
    "lasttimestamp", "lastkeyframetimestamp", "lastkeyframelocation", "metadatacreator",
    "creationdate", "major_brand", "minor_version", "compatible_brands", "creation_time", "server",
    "profile", "level", "avcprofile", "avclevel", "aacaot", "videoframerate", "displaywidth",
    "displayheight", "rotation", "metadatadate",
  ]
}
