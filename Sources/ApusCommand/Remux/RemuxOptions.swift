// SPDX-License-Identifier: MIT

import ApusFiles
import ApusMedia
import ApusSamples
import FLV
import HEVC
import ISOBMFF

/// The options of verbs that copy coded media.
struct RemuxOptions: ArgumentGroup {
  static let heading = "Media"

  var target: RemuxTarget?
  var dialect: HEVCDialect?
  var frameRate: FrameRate?
  var start: MediaTime?
  var tracks: TrackList?
  var languages: LanguageList?
  var title: String?
  var metadata: [TagSetting] = []
  var hasNoIndex = false
  var recovers = false
  var mayLeave = false

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "format", "NAME", &target, "output format; otherwise from OUT")
    try v.option(
      "dialect", "NAME", &dialect, "HEVC dialect in FLV; default enhanced")
    try v.option(
      "fps", "RATE", &frameRate,
      """
      frame rate of a bare stream, such as 30000/1001
      It overrides the rate in the stream
      """)
    try v.option(
      "start", "TIME", &start, "start at the last key frame before TIME, such as 1m30s")
    try v.option(
      "tracks", "LIST", &tracks,
      """
      tracks to keep, in this order, such as v:0,a:1,s
      v:0,a:1 means the first video and the second audio track, s all subtitles
      """
    )
    try v.option(
      "language", "LIST", &languages,
      "keep only audio and subtitles in these languages: eng,deu")
    try v.option("title", "TEXT", &title, "title of the output; empty for none")
    try v.option(
      "metadata", "KEY=VALUE", &metadata,
      """
      set a tag such as artist or date; KEY= removes it
      It may be given several times
      """
    )
    try v.flag("no-index", &hasNoIndex, "do not write an index of key frames to FLV")
    try v.flag(
      "recover", &recovers,
      """
      read what is intact in a damaged or unfinished file
      Losses are reported
      """)
    try v.flag("outside", &mayLeave, "allow playlists to refer to files outside their folder")
  }

  /// The chosen tracks.
  var selection: TrackSelection {
    var selection = TrackSelection()
    selection.choices = tracks?.choices ?? []
    selection.languages = languages?.languages ?? []
    return selection
  }

  /// Returns the tags to set or remove.
  func tags(for target: RemuxTarget) throws(UsageError) -> [TagChange] {
    let changes = (title.map { [TagChange("title", $0)] } ?? []) + metadata.map(\.change)
    for change in changes {
      guard !change.isOfContainer else {
        throw UsageError(
          "--metadata: \(change.name) is set by the container and is not a tag")
      }
      guard target.holds(change) else {
        let reason =
          switch target {
          case .ts: "which only has a title"
          case .flv: "where it is not a tag"
          default: "which has no tags"
          }
        throw UsageError("\(change.name) cannot be stored in \(target.rawValue), \(reason)")
      }
    }
    return changes
  }

  /// Returns the format to write to a path, which may be a folder.
  func target(for path: String?, isFolder: Bool) throws(UsageError) -> RemuxTarget {
    if let target { return target }
    guard let path else { throw UsageError("no output: use -o OUT") }
    if !isFolder, let target = RemuxTarget(pathExtension: path.pathExtension) { return target }
    throw UsageError(
      "cannot tell the format from \(path): use --format \(RemuxTarget.choices.joined(separator: "|"))"
    )
  }
}

extension RemuxTarget: ArgumentValue {}
