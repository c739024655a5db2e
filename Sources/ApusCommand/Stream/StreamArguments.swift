// SPDX-License-Identifier: MIT

import ApusLive
import RTMP

/// A playback speed; 1 is real time.
struct StreamSpeed: ArgumentValue {
  var factor: Double

  init?(argument: String) {
    guard let factor = Double(argument), factor >= 0.01, factor <= 1000 else { return nil }
    self.factor = factor
  }

  static var expected: String { "a number from 0.01 to 1000" }
  var argument: String { String(factor) }
}

extension DialectChoice: ArgumentValue {}
extension ReconnectPolicy: ArgumentValue {}
