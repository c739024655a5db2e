// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFacts
internal import ApusMedia
internal import ApusRecords
internal import FLV
internal import HEIF
internal import ISOBMFF

/// Collects the problems of a file, each with the command that fixes it.
struct FindingReader {
  private let source: any ByteSource
  private let limits: Limits
  /// The name of the file as a word of a shell.
  private let file: String
  private(set) var findings: [ReportFinding] = []

  /// The maximum number of findings listed; a longer page would not be read.
  private static let most = 200

  /// - Parameter name: the name of the file in commands.
  init(
    _ overview: Overview, _ tree: BoxTree?, in source: any ByteSource, name: String, limits: Limits
  ) {
    self.source = source
    self.limits = limits
    file = name.asShellWord
    let records = overview.recordFindings
    let known = Set(records.map { Key(rule: $0.finding.rule, offset: $0.finding.offset) })
    findings = overview.findings.filter {
      !known.contains(Key(rule: $0.rule, offset: $0.offset))
    }.map { ReportFinding($0) }
    findings += shown(records, tree)
    if overview.kind == .flv { addTags() }
    let order: [Finding.Severity] = [.error, .warning, .note]
    findings = order.flatMap { severity in findings.filter { $0.severity == severity } }
    if findings.count > Self.most { findings.removeLast(findings.count - Self.most) }
  }

  private struct Key: Hashable {
    var rule: String
    var offset: Int
  }

  /// Returns findings about records, with the command if carrying it out resolves them.
  private func shown(_ records: [RecordFinding], _ tree: BoxTree?) -> [ReportFinding] {
    guard let tree, !records.isEmpty else { return [] }
    let mended = rulesThatRepairMends(in: tree)
    return records.map { record in
      var finding = ReportFinding(record.finding)
      finding.clause = record.clause
      finding.fix = record.fix
      finding.users = record.users.prefix(3).map(\.description).joined(separator: ", ")
      if record.users.count > 3 {
        finding.users? += " and \(record.users.count - 3) more"
      }
      if mended.contains(record.finding.rule) {
        finding.command = "apus hvcc fix \(file) -o \("fixed-".joinedToName(of: file))"
      }
      return finding
    }
  }

  /// Returns the rules that are violated now, but not after all repairs that keep the media data. Rules about samples
  /// are excluded, because no output is written that could be checked.
  private func rulesThatRepairMends(in tree: BoxTree) -> Set<String> {
    let before = rules(in: RecordFinder.records(in: tree))
    for entry in [RecordRepair.Entry.hvc1, nil] {
      var repair = RecordRepair()
      repair.limits = limits
      repair.rebuildsFields = true
      repair.setsCompleteness = true
      repair.entry = entry
      var editor = BoxEditor(tree, of: source)
      do throws(EditError) {
        guard try repair.apply(to: &editor) > 0 else { return [] }
      } catch {
        continue
      }
      return before.subtracting(rules(in: RecordFinder.records(in: BoxTree(boxes: editor.boxes))))
    }
    return []
  }

  private func rules(in found: RecordFinder.Result) -> Set<String> {
    Set(
      found.records.distinct.flatMap { record in
        RecordReport(RecordContext(record, in: nil, limits: limits)).findings.map(\.finding.rule)
      })
  }

  /// Reads the findings on Flash Video.
  private mutating func addTags() {
    guard let checker = try? FLVChecker(source, limits: limits) else { return }
    let output = "fixed-".joinedToName(of: file)
    findings += checker.findings.map { found in
      var finding = ReportFinding(found)
      if Self.mendable.contains(found.rule) {
        finding.command =
          "apus flv convert \(file) -o \(output)"
          + (found.rule.hasPrefix("dialect") ? " --dialect enhanced" : "")
      }
      return finding
    }
  }

  /// The rules that the output of `apus flv convert` satisfies.
  private static let mendable: Set<String> = [
    "truncated", "junk", "tag-size", "header-flags", "dialect-mixed", "dialect-legacy", "codec-id",
    "metadata-missing", "metadata-duration", "metadata-size", "index",
  ]
}

extension String {
  /// The text as one word of a shell.
  public var asShellWord: String {
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x2f, 0x5f, 0x40, 0x2b, 0x3d: true
        default: false
        }
      }
    if isPlain { return hasPrefix("-") ? "./" + self : self }
    var text = "'"
    for character in self { text += character == "'" ? #"'\''"# : String(character) }
    return text + "'"
  }

  /// Returns the name of another file in the same folder, from a word of a shell.
  fileprivate func joinedToName(of word: String) -> String {
    guard let slash = word.lastIndex(of: "/") else {
      return word.hasPrefix("'") ? "'\(self)\(word.dropFirst())" : self + word
    }
    let after = word.index(after: slash)
    return "\(word[..<after])\(self)\(word[after...])"
  }
}
