// SPDX-License-Identifier: MIT

import Bytes
import HEIF

/// What one photo may cost, its boxes, its decoding and the process that decodes it.
struct PhotoLimitOptions: ArgumentGroup {
  static let heading = "Limits"

  var boxes = Limits()
  var plan = PlanLimits()
  var isolation = IsolationLimits()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    let tables = [
      Limits.named.map { LimitName($0.name, boxes[keyPath: $0.path]) },
      PlanLimits.named.map { LimitName($0.name, plan[keyPath: $0.path]) },
      IsolationLimits.named.map { LimitName($0.name, isolation[keyPath: $0.path]) },
    ]
    try v.limits(tables.flatMap(\.self)) { name, value in
      if let limit = Limits.named.first(where: { $0.name == name }) {
        boxes[keyPath: limit.path] = value
      } else if let limit = PlanLimits.named.first(where: { $0.name == name }) {
        plan[keyPath: limit.path] = value
      } else if let limit = IsolationLimits.named.first(where: { $0.name == name }) {
        isolation[keyPath: limit.path] = value
      }
    }
  }

  /// Every limit as it is typed: `boxes=1000000`.
  var settings: [String] {
    Limits.named.map { "\($0.name)=\(boxes[keyPath: $0.path])" }
      + PlanLimits.named.map { "\($0.name)=\(plan[keyPath: $0.path])" }
      + IsolationLimits.named.map { "\($0.name)=\(isolation[keyPath: $0.path])" }
  }
}
