// SPDX-License-Identifier: MIT

public import Bytes

/// One thing that must hold for a presentation.
public struct PresentationRule: Sendable {
  /// A stable name in kebab case.
  public var id: String
  /// The clause that says so.
  public var clause: String
  /// How bad it is when broken.
  public var severity: Finding.Severity
  /// How bad it is in cases that harm less; the worst first.
  public var milder: [Finding.Severity]
  /// What must hold, in a sentence.
  public var demand: String
  var check: @Sendable (PresentationContext) -> [PresentationRemark]

  init(
    _ id: String, _ clause: String, _ severity: Finding.Severity,
    or milder: [Finding.Severity] = [], _ demand: String,
    _ check: @escaping @Sendable (PresentationContext) -> [PresentationRemark]
  ) {
    self.id = id
    self.clause = clause
    self.severity = severity
    self.milder = milder
    self.demand = demand
    self.check = check
  }

  /// Every rule, in the order in which findings are shown.
  public static let all: [PresentationRule] =
    playlistRules + segmentRules + partRules + lowLatencyRules + variantRules + groupRules

  /// Apple's specification by the headings of its chapters, whose numbers change from year to year.
  static func apple(_ chapter: String) -> String { "HLS Authoring Specification, \(chapter)" }
}

/// What a rule found.
struct PresentationRemark: Sendable {
  var playlist: String
  var message: String
  /// The number of the segment, from 1.
  var segment: Int?
  /// One of the milder severities of the rule; `nil` for that of the rule.
  var severity: Finding.Severity?
  var fix: String?

  init(
    _ playlist: String, _ message: String, segment: Int? = nil,
    _ severity: Finding.Severity? = nil, fix: String? = nil
  ) {
    self.playlist = playlist
    self.message = message
    self.segment = segment
    self.severity = severity
    self.fix = fix
  }
}

/// A broken rule.
public struct PresentationFinding: Hashable, Sendable {
  public var rule: String
  public var clause: String
  public var severity: Finding.Severity
  /// The playlist, by its path from the folder of the one that was checked.
  public var playlist: String
  /// The number of its segment, from 1.
  public var segment: Int?
  public var message: String
  public var fix: String?
}

extension PresentationContext {
  /// What all rules find. A rule that one playlist breaks many times says so once, and how often.
  public func findings(_ rules: [PresentationRule] = PresentationRule.all) -> [PresentationFinding]
  {
    rules.flatMap { rule in
      var found: [PresentationFinding] = []
      var more: [Int] = []
      for remark in rule.check(self) {
        let severity = remark.severity ?? rule.severity
        assert(severity == rule.severity || rule.milder.contains(severity), rule.id)
        if remark.segment != nil,
          let place = found.firstIndex(where: {
            $0.playlist == remark.playlist && $0.segment != nil && $0.severity == severity
          })
        {
          more[place] += 1
          continue
        }
        found.append(
          PresentationFinding(
            rule: rule.id, clause: rule.clause, severity: severity, playlist: remark.playlist,
            segment: remark.segment, message: remark.message, fix: remark.fix))
        more.append(0)
      }
      for (place, count) in more.enumerated() where count > 0 {
        found[place].message += ", and \(count) more segment\(count == 1 ? "" : "s")"
      }
      return found
    }
  }
}
