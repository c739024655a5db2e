// SPDX-License-Identifier: MIT

import FLV
import Flow
import HEVC
import Media

/// What a person says to a verb that passes coded media on about its input and output.
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
      "dialect", "NAME", &dialect, "form of HEVC in FLV; default enhanced")
    try v.option(
      "fps", "RATE", &frameRate,
      """
      frame rate of a bare stream, such as 25 or 30000/1001
      It overrides the rate in the stream
      """)
    try v.option(
      "start", "TIME", &start, "start at the last key frame up to this time, such as 1m30s")
    try v.option(
      "tracks", "LIST", &tracks,
      """
      tracks to keep, in this order, such as v:0,a:1,s
      v:0,a:1 is the first of video and the second of sound, s is all subtitles
      """
    )
    try v.option(
      "language", "LIST", &languages,
      "of sound and subtitles only those in these languages: eng,deu")
    try v.option("title", "TEXT", &title, "the title that the output has; empty for none")
    try v.option(
      "metadata", "KEY=VALUE", &metadata,
      """
      set a tag such as artist, album or date; KEY= removes it
      Without VALUE the tag is left out
      """
    )
    try v.flag("no-index", &hasNoIndex, "write no index of key frames into FLV")
    try v.flag(
      "recover", &recovers,
      """
      read the intact part of a damaged file, and report what is lost
      An unfinished file, such as a recording that was cut off, is a damaged file too
      """)
    try v.flag("outside", &mayLeave, "let a playlist name files outside its folder")
  }

  /// The tracks that are wanted.
  var selection: TrackSelection {
    var selection = TrackSelection()
    selection.choices = tracks?.choices ?? []
    selection.languages = languages?.languages ?? []
    return selection
  }

  /// The tags that are set, or left out.
  func tags(for target: RemuxTarget) throws(UsageError) -> [TagChange] {
    let changes = (title.map { [TagChange("title", $0)] } ?? []) + metadata.map(\.change)
    for change in changes {
      guard !change.isOfContainer else {
        throw UsageError(
          "--metadata: \(change.name) is set by the container itself and is not a tag")
      }
      guard target.holds(change) else {
        let reason =
          switch target {
          case .ts: "which only has a title"
          case .flv: "where that is not a tag"
          default: "which has no tags"
          }
        throw UsageError("\(change.name) cannot be stored in \(target.rawValue), \(reason)")
      }
    }
    return changes
  }

  /// What is written to a path, which may be a folder.
  func target(for path: String?, isFolder: Bool) throws(UsageError) -> RemuxTarget {
    if let target { return target }
    guard let path else { throw UsageError("where to write is missing: -o OUT") }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let ending = name.lastIndex(of: ".").map { String(name[$0...].dropFirst()) } ?? ""
    if !isFolder, let target = RemuxTarget(pathExtension: ending) { return target }
    throw UsageError(
      "\(path) does not say what to write: --format \(RemuxTarget.choices.joined(separator: "|"))")
  }
}

extension RemuxTarget: ArgumentValue {}
