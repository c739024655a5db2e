// SPDX-License-Identifier: MIT

import ApusBytes
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

  @Test(arguments: [1, 15, 16, 17, 100])
  func `it goes on counting where it was after what lies in a structure`(types: UInt32) {
    var numbers = SiblingNumbers()
    for round in 0..<3 {
      for type in 0..<types {
        #expect(numbers.add(FourCC(type)) == round)
        numbers.enter()
        for inner in 0..<types {
          #expect(numbers.number(of: FourCC(inner)) == 0)
          #expect(numbers.add(FourCC(inner)) == 0)
        }
        numbers.enter()
        #expect(numbers.number(of: FourCC(type)) == 0)
        numbers.leave()
        #expect(numbers.number(of: FourCC(type)) == 1)
        numbers.leave()
        #expect(numbers.number(of: FourCC(type)) == round + 1)
      }
    }
  }
}
