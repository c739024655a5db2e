// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusForeign
import ApusMedia
import ApusPresentations
import ApusSamples
import HLS
import ISOBMFF

/// `apus hls check`: checks HLS presentations against the rules.
struct HlsCheck: CheckVerb {
  static let name = "hls check"
  static let summary = "check an HLS presentation: its playlists and segments"
  static let discussion = """
    Checks a playlist, the playlists it refers to and all their segments against RFC 8216, its revision and Apple's HLS \
    Authoring Specification. Codecs, sizes, rates and ranges are compared with the headers, durations, continuity and \
    key frames with the samples, and bit rates with measured ones; groups of audio and subtitles, I-frame playlists and \
    parts of live segments are checked too. A playlist that is named by its address is read from there with all that it \
    names; no other one leads into the network. Files outside the folder of the playlist need --outside. \
    --playlists-only checks playlists without their segments, which may be elsewhere.

    An error breaks playback or violates the standard, a warning often does, and a note is worth knowing. A rule that \
    many segments break is reported once per playlist. The exit status is 1 if there are errors. --rules lists the \
    rules.
    """
  static let examples = [
    Example("apus hls check web/index.m3u8", "Checks a presentation."),
    Example(
      "apus hls check --json web/index.m3u8 | jq '.[].rule'", "Lists the rules that are broken."),
    Example(
      "apus hls check --playlists-only index.m3u8", "Checks a playlist without its segments."),
    Example(
      "apus hls check https://example.com/live/index.m3u8", "Checks what a server offers."),
    Example("apus hls check --rules", "Lists all rules."),
  ]

  var inputs = InputOptions()
  var rules = false
  var mayLeave = false
  var playlistsOnly = false
  var json = false
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try v.flag("rules", &rules, "list the rules with id, severity, clause and requirement")
    try v.flag("outside", &mayLeave, "allow playlists to refer to files outside their folder")
    try v.flag("playlists-only", &playlistsOnly, "check playlists without reading segments")
    try v.json(&json)
    try v.group(&limits)
  }

  func opened(_ name: InputName) throws(FileError) -> (any ByteSource)? {
    guard WebAddress.isOne(name.path), !FileSystem.exists(name.path) else { return nil }
    do {
      return try WebSource(name.path, limit: limits.limits.pipe)
    } catch {
      throw FileError("open", name.path, reason: MediaError(error).message)
    }
  }

  func check(_ input: Input, _ console: Console) throws -> Checked<PresentationFinding> {
    let kind = try FileKind(of: input.source)
    guard kind == .m3u8 else {
      throw OtherKind("\(input.name) is \(kind.description), not a playlist (HLS)")
    }
    var options = OpeningOptions()
    options.limits = limits.limits
    options = options.reading(input, mayLeaveFolder: mayLeave)
    let folder = FolderInput(beside: input.name, mayLeave: mayLeave, inputs: input.files)
    let isWeb = input.source is WebSource
    let limit = limits.limits.pipe
    let context = try PresentationContext(
      input.source, name: isWeb ? input.name : String(input.name.lastName), options: options,
      mayLeave: mayLeave, measures: !playlistsOnly
    ) { isWeb ? try WebSource($0, limit: limit) : try folder.open($0) }
    let findings = context.findings()
    return Checked(findings: findings) { output in
      HlsFindings(palette: Palette(console)).write(findings, context, file: input.name, to: &output)
    }
  }

  static var ruleList: [ListedRule] {
    PresentationRule.all.map {
      ListedRule(
        id: $0.id, clause: $0.clause, severity: $0.severity, milder: $0.milder,
        demand: $0.demand)
    }
  }
}
