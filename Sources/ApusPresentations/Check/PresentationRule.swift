// SPDX-License-Identifier: MIT

public import ApusBytes

/// A requirement for presentations.
public struct PresentationRule: Sendable {
  /// A stable name in kebab case.
  public var id: String
  /// The clause that states the requirement.
  public var clause: String
  /// The severity of a violation.
  public var severity: Finding.Severity
  /// The severities of less harmful violations; the worst first.
  public var milder: [Finding.Severity]
  /// The requirement, in a sentence.
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

  /// Returns a reference to Apple's specification by chapter heading, because the numbers of chapters change every
  /// year.
  static func apple(_ chapter: String) -> String { "HLS Authoring Specification, \(chapter)" }
}

/// A single violation found by a rule.
struct PresentationRemark: Sendable {
  var playlist: String
  var message: String
  /// The number of the segment, from 1.
  var segment: Int?
  /// One of the milder severities of the rule; `nil` for its usual one.
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
  /// The stable name of the rule.
  public var rule: String
  /// The clause that states the requirement.
  public var clause: String
  /// The severity of this violation, which may be milder than the rule's.
  public var severity: Finding.Severity
  /// The playlist, by its path from the folder of the one that was checked.
  public var playlist: String
  /// The number of its segment, from 1.
  public var segment: Int?
  /// The violation in words, with the values found and allowed.
  public var message: String
  /// The way to fix it, as text; `nil` if none is known.
  public var fix: String?
}

extension PresentationContext {
  /// Returns the findings of all rules. A rule that a playlist breaks many times is reported once, with the number of
  /// times.
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
