// SPDX-License-Identifier: MIT

import Bytes
import Files
import Flow
import ISOBMFF
import Media
import Presentations

/// `apus hls check`: presentations for HTTP Live Streaming held against the rules.
struct HlsCheck: CheckVerb {
  static let name = "hls check"
  static let summary = "check a presentation for HTTP Live Streaming: its playlists and segments"
  static let discussion = """
    Reads a playlist, those that it names and all of their segments, and holds them against RFC 8216, its revision \
    and Apple's HLS Authoring Specification: codecs, sizes, rates and ranges against the headers, durations, \
    continuity and key frames against the samples, bit rates as they are measured, groups of sound and subtitles, \
    playlists of key frames, and parts of live segments. Files are read, the network is never asked; names that lead \
    out of the folder of the playlist are refused but for --outside.

    An error breaks playback or the standard, a warning often does, a note is worth knowing. A rule that many \
    segments break is reported once for each playlist. The status is 1 when there are errors. --rules lists \
    the rules.
    """
  static let examples = [
    Example("apus hls check web/index.m3u8", "Checks a presentation."),
    Example(
      "apus hls check --json web/index.m3u8 | jq '.[].rule'", "Lists the rules that are broken."),
    Example("apus hls check --rules", "Lists all rules."),
  ]

  var inputs = InputOptions()
  var rules = false
  var mayLeave = false
  var json = false
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try v.flag("rules", &rules, "list the rules: id, severity, clause and what must hold")
    try v.flag("outside", &mayLeave, "let a playlist name files outside its folder")
    try v.json(&json)
    try v.group(&limits)
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
    let context = try PresentationContext(
      input.source, name: input.name.lastName, options: options, mayLeave: mayLeave
    ) { try folder.open($0) }
    let findings = context.findings()
    return Checked(findings: findings) { output in
      HlsFindings(palette: Palette(console)).write(findings, context, file: input.name, to: &output)
    }
  }

  static var ruleList: RuleList {
    RuleList(
      rows: PresentationRule.all.map {
        RuleList.Row(
          id: $0.id, clause: $0.clause, severity: $0.severity, milder: $0.milder,
          demand: $0.demand)
      })
  }
}

extension String {
  /// What follows the last `/`.
  fileprivate var lastName: String { lastSlash.map { String(self[index(after: $0)...]) } ?? self }
}
