// SPDX-License-Identifier: MIT

public import ApusBytes

/// A requirement on a record, or on its surroundings.
public struct Rule: Sendable {
  /// A stable name in kebab case.
  public var id: String
  /// The clause of the standard with the requirement.
  public var clause: String
  /// The severity.
  public var severity: Finding.Severity
  /// The severities of less harmful cases, in descending order.
  public var milder: [Finding.Severity]
  /// The requirement, in a sentence.
  public var demand: String
  /// The data that the rule reads.
  public var reads: String
  /// Checks a record, and returns the remarks on it.
  public var check: @Sendable (RecordContext) -> Verdict

  /// Creates a rule; `demand` is a whole sentence, and `reads` names the data that `check` uses.
  public init(
    _ id: String, _ clause: String, _ severity: Finding.Severity,
    or milder: [Finding.Severity] = [], _ demand: String, reads: String,
    _ check: @escaping @Sendable (RecordContext) -> Verdict
  ) {
    self.id = id
    self.clause = clause
    self.severity = severity
    self.milder = milder
    self.demand = demand
    self.reads = reads
    self.check = check
  }

  /// All rules, in the order in which findings are shown.
  public static let all: [Rule] =
    fieldRules + arrayRules + setRules + entryRules + sampleRules + pictureRules + colourRules
    + dolbyVisionRules + layerRules + appleRules
}

/// The result of a rule for one record.
public enum Verdict: Sendable {
  case findings([Remark])
  /// The rule cannot be checked here, for the given reason.
  case notApplicable(String)

  /// The verdict without findings.
  public static var ok: Verdict { .findings([]) }

  /// Returns no remark, or one.
  static func when(_ isBroken: Bool, _ remark: @autoclosure () -> Remark) -> Verdict {
    .findings(isBroken ? [remark()] : [])
  }
}

/// A finding of a rule: both values, the location, and a fix.
public struct Remark: Hashable, Sendable {
  /// The finding in words, with the values found and expected.
  public var message: String
  /// The way to fix it, as text; `nil` if none is known.
  public var fix: String?
  /// A milder severity of the rule; `nil` for its normal severity.
  public var severity: Finding.Severity?
  /// The offset in the file; `nil` for that of the record.
  public var offset: Int?
  /// The path of the box; `nil` for that of the record.
  public var path: String?

  /// Creates a remark.
  ///
  /// - Parameter severity: a milder severity of the rule; `nil` for its normal one.
  public init(
    _ message: String, fix: String? = nil, _ severity: Finding.Severity? = nil,
    offset: Int? = nil, path: String? = nil
  ) {
    self.message = message
    self.fix = fix
    self.severity = severity
    self.offset = offset
    self.path = path
  }
}

/// A violated rule in a file.
public struct RecordFinding: Hashable, Sendable {
  /// The rule, severity, location and message.
  public var finding: Finding
  /// The clause of the standard with the requirement.
  public var clause: String
  /// The way to fix it, as text; `nil` if none is known.
  public var fix: String?
  /// The tracks, items or other users of the record.
  public var users: [FoundRecord.User]

  /// Creates a finding with the clause of its rule and the users of the record.
  public init(
    _ finding: Finding, clause: String, fix: String? = nil, users: [FoundRecord.User] = []
  ) {
    self.finding = finding
    self.clause = clause
    self.fix = fix
    self.users = users
  }
}

/// The results of all rules for one record.
public struct RecordReport: Sendable {
  /// The findings of all rules, in the order of the rules.
  public var findings: [RecordFinding] = []
  /// Rules that could not be checked, with the reason.
  public var notApplicable: [(rule: Rule, reason: String)] = []

  /// Checks a record against rules.
  public init(_ context: RecordContext, rules: [Rule] = Rule.all) {
    let found = context.found
    for rule in rules {
      switch rule.check(context) {
      case .notApplicable(let reason): notApplicable.append((rule, reason))
      case .findings(let remarks):
        findings += remarks.map { remark in
          let severity = remark.severity ?? rule.severity
          assert(severity == rule.severity || rule.milder.contains(severity), rule.id)
          return RecordFinding(
            Finding(
              severity, rule: rule.id, path: remark.path ?? found.path,
              offset: remark.offset ?? found.offset ?? 0, message: remark.message),
            clause: rule.clause, fix: remark.fix, users: found.users)
        }
      }
    }
  }
}
