// SPDX-License-Identifier: MIT

import ApusBytes
import HEIF

/// The limits of a server as options of the verbs that it runs.
struct VerbLimits: Sendable {
  private var boxes: [String] = []
  private var pictures: [String] = []

  init() {}

  init(_ limits: PhotoLimitOptions) {
    boxes = limits.boxes.named.map { "--limit=\($0.name)=\($0.value)" }
    pictures = limits.plan.named.map { "--limit=\($0.name)=\($0.value)" }
  }

  /// - Parameter decodes: whether the verb reads pictures.
  func words(decodes: Bool) -> [String] { decodes ? boxes + pictures : boxes }
}
