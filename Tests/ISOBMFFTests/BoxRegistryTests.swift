// SPDX-License-Identifier: MIT

import Bytes
import Testing

@testable import ISOBMFF

struct BoxRegistryTests {
  /// What a second declaration of a type would say is never run.
  @Test func `it has one declaration for each type`() {
    var declared: [FourCC: String] = [:]
    for box in BoxRegistry.families.joined() {
      for type in box.types {
        #expect(declared[type] == nil, "\(type) is declared by \(declared[type] ?? "") and \(box)")
        declared[type] = "\(box)"
      }
    }
  }
}
