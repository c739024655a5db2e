// SPDX-License-Identifier: MIT

import ApusBytes
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

  @Test func `it finds the declaration of every type and of no other`() throws {
    var known: Set<FourCC> = ["mdat", "imda"]
    for box in BoxRegistry.families.joined() {
      for type in box.types {
        let declaration = try #require(BoxRegistry.standard.declaration(of: type))
        #expect(declaration.box == box)
        known.insert(type)
      }
    }
    #expect(BoxRegistry.standard.declaration(of: "mdat")?.isLazy == true)
    // Types that differ from a known one in one bit share most of the way to it.
    for type in known {
      for bit in 0..<32 {
        let other = FourCC(type.code ^ 1 << UInt32(bit))
        if !known.contains(other) { #expect(BoxRegistry.standard.declaration(of: other) == nil) }
      }
    }
    #expect(BoxRegistry.standard.declaration(of: FourCC(0)) == nil)
  }

  @Test func `it makes room for more declarations than it has`() {
    var table = DeclarationTable()
    let declarations = (0..<5000).map { _ in BoxDeclaration(nil) }
    for (number, declaration) in declarations.enumerated() {
      table.add(declaration, for: FourCC(UInt32(number) << 12))
    }
    for (number, declaration) in declarations.enumerated() {
      #expect(table[FourCC(UInt32(number) << 12)] === declaration)
    }
    table.add(declarations[1], for: FourCC(0))
    #expect(table[FourCC(0)] === declarations[1])
    #expect(table[FourCC(1)] == nil)
  }
}
