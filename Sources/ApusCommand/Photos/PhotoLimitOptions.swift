// SPDX-License-Identifier: MIT

import ApusBytes
import HEIF

/// The limits of one photo: its boxes, its decoding and the process that decodes it.
struct PhotoLimitOptions: ArgumentGroup {
  static let heading = "Limits"

  var boxes = Limits()
  var plan = PlanLimits()
  var isolation = IsolationLimits()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.limits(named) { name, value in
      boxes.set(name, to: value)
      plan.set(name, to: value)
      isolation.set(name, to: value)
    }
  }

  /// Every limit as it is typed: `boxes=1000000`.
  var settings: [String] { named.map { "\($0.name)=\($0.value)" } }

  private var named: [(name: String, value: Int)] { boxes.named + plan.named + isolation.named }
}
