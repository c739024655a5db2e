// SPDX-License-Identifier: MIT

import Bytes
import Testing

@Suite struct SiblingNumbersTests {
  /// Few types lie in a list and more have hashes; which it is makes no difference.
  @Test(arguments: [1, 15, 16, 17, 1000]) func `it counts each type by itself`(types: UInt32) {
    var numbers = SiblingNumbers()
    for round in 0..<3 {
      for type in 0..<types {
        #expect(numbers.number(of: FourCC(type)) == round)
        #expect(numbers.add(FourCC(type)) == round)
      }
    }
    #expect(numbers.number(of: FourCC(types)) == 0)
  }
}
