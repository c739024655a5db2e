// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A way through the syntax of a unit that copies it with changes: ETSI GS CCM 001, 7.2.
struct MappingCopy {
  /// Whether the enhancement layer has a residual that matters: a minimal one has none.
  private(set) var hasResidual = false
  private let changes: ReferenceProcessingUnit.Changes
  private let replacesCurves: Bool
  private let size: Int
  private var reader: SyntaxReader
  private var writer = SyntaxWriter(ArraySink())
  /// The number of bits read.
  private var position = 0
  /// Whether what is read is written.
  private var isCopying = true
  private var denominator = 0
  private var baseDepth = 0
  private var layerDepth = 0

  init(_ bytes: [UInt8], _ changes: ReferenceProcessingUnit.Changes, replacesCurves: Bool) {
    reader = SyntaxReader(MemorySource(bytes))
    size = bytes.count * 8
    (self.changes, self.replacesCurves) = (changes, replacesCurves)
  }

  var bytes: [UInt8] { writer.sink.bytes }

  // MARK: - Elements

  @discardableResult
  private mutating func u(_ count: Int, _ new: UInt32? = nil) throws(SyntaxError) -> UInt32 {
    var value: UInt32 = 0
    try reader.u(count, "bits", &value)
    position += count
    if isCopying { try put(count, new ?? value) }
    return value
  }

  @discardableResult
  private mutating func ue() throws(SyntaxError) -> UInt32 {
    var value: UInt32 = 0
    try reader.ue("code", &value)
    position += 2 * (31 - (value &+ 1).leadingZeroBitCount) + 1
    if isCopying { try writer.ue("code", &value) }
    return value
  }

  private mutating func put(_ count: Int, _ value: UInt32) throws(SyntaxError) {
    var value = value
    try writer.u(count, "bits", &value)
  }

  private mutating func putCode(_ value: UInt32) throws(SyntaxError) {
    var value = value
    try writer.ue("code", &value)
  }

  /// Passes the bits up to the next whole byte, on both sides.
  private mutating func align() throws(SyntaxError) {
    let rest = (8 - position % 8) % 8
    let copies = isCopying
    isCopying = false
    if rest > 0 { try u(rest) }
    isCopying = copies
    if isCopying, writer.bitsUntilAligned > 0 { try put(writer.bitsUntilAligned, 0) }
  }

  /// A coefficient with its whole part and its fraction; returns whether it has this whole part, and no fraction.
  @discardableResult
  private mutating func coefficient(is whole: UInt32 = 0) throws(SyntaxError) -> Bool {
    guard denominator > 0 else {
      let bits = try u(32)
      return Float(bitPattern: bits) == Float(whole)
    }
    let found = try ue()
    return try u(denominator) == 0 && found == whole
  }

  // MARK: - Syntax

  mutating func run() throws(SyntaxError) {
    try u(8)
    try u(6)
    let format = try u(11)
    try u(4)
    try u(4)
    guard try u(1) == 1, format & 0x700 == 0 else {
      throw failure("has no description of its layers")
    }
    try u(1)
    let type = try u(2)
    denominator = type == 0 ? Int(try ue()) : 0
    guard type == 0 ? denominator > 0 : type == 1 else {
      throw failure("has coefficients of an unknown type")
    }
    try u(2)
    try u(1)
    baseDepth = Int(try ue()) + 8
    layerDepth = Int(try ue() & 0xff) + 8
    try ue()
    guard denominator <= 32, baseDepth <= 16, layerDepth <= 16 else {
      throw failure("has numbers of unknown sizes")
    }
    try u(1)
    guard try u(3) == 0 else { throw failure("is compressed") }
    try u(1, changes.dropsEnhancementLayer ? 0 : nil)
    let hasLayer = try u(1, changes.dropsEnhancementLayer ? 1 : nil) == 0
    let hasDisplay = try u(1) == 1
    if try u(1) == 1 {
      try ue()
    } else {
      try mapping(hasLayer)
    }
    if hasDisplay { try display() }
    guard size - position < 8 else { throw failure("has more than is known") }
    try align()
  }

  private mutating func mapping(_ hasLayer: Bool) throws(SyntaxError) {
    for _ in 0..<3 { try ue() }
    isCopying = !replacesCurves
    var pieces: [Int] = []
    for _ in 0..<3 {
      let pivots = Int(try ue()) + 2
      guard pivots <= 9 else { throw failure("has \(pivots) pivots") }
      for _ in 0..<pivots { try u(baseDepth) }
      pieces.append(pivots - 1)
    }
    isCopying = true
    if replacesCurves {
      for _ in 0..<3 {
        try putCode(0)
        try put(baseDepth, 0)
        try put(baseDepth, 1 << UInt32(baseDepth) - 1)
      }
    }
    if hasLayer {
      isCopying = !changes.dropsEnhancementLayer
      guard try u(3) == 0 else { throw failure("has an unknown residual") }
      try u(baseDepth)
      try u(baseDepth)
      isCopying = true
    }
    guard try ue() == 0, try ue() == 0 else { throw failure("is divided into parts") }
    isCopying = !replacesCurves
    for count in pieces {
      for _ in 0..<count { try curve() }
    }
    isCopying = true
    if replacesCurves { try line() }
    guard hasLayer else { return }
    isCopying = !changes.dropsEnhancementLayer
    for _ in 0..<3 {
      let offset = try u(layerDepth)
      let isWhole = try coefficient(is: 1)
      let hasNoSlope = try coefficient()
      let hasNoThreshold = try coefficient()
      if offset != 0 || !isWhole || !hasNoSlope || !hasNoThreshold { hasResidual = true }
    }
    isCopying = true
  }

  /// A piece of a curve: a polynomial, or products of all components.
  private mutating func curve() throws(SyntaxError) {
    switch try ue() {
    case 0:
      let order = Int(try ue()) + 1
      guard order <= 2 else { throw failure("has a curve of order \(order)") }
      if order == 1, try u(1) == 1 { throw failure("has a curve that is interpolated") }
      for _ in 0...order { try coefficient() }
    case 1:
      let order = Int(try u(2)) + 1
      guard order <= 3 else { throw failure("has products of order \(order)") }
      for _ in 0..<1 + order * 7 { try coefficient() }
    default: throw failure("has an unknown kind of curve")
    }
  }

  /// Writes a line for each component that changes nothing.
  private mutating func line() throws(SyntaxError) {
    for _ in 0..<3 {
      try putCode(0)
      try putCode(0)
      try put(1, 0)
      for whole in [0, 1] as [UInt32] {
        guard denominator > 0 else {
          try put(32, Float(whole).bitPattern)
          continue
        }
        // The code of a signed number.
        try putCode(whole == 0 ? 0 : 1)
        try put(denominator, 0)
      }
    }
  }

  /// The data for a display, with the blocks by levels.
  private mutating func display() throws(SyntaxError) {
    for _ in 0..<3 { try ue() }
    let fields = [
      [Int](repeating: 16, count: 9), [32, 32, 32], [Int](repeating: 16, count: 9),
      [16, 16, 16, 32, 5, 2, 2, 2, 12, 12, 10],
    ]
    for count in fields.joined() { try u(count) }
    try blocks()
    // A second list, of content mapping 4.0, follows where more is left than zeros up to a whole byte.
    if size - position > 8 { try blocks() }
  }

  private mutating func blocks() throws(SyntaxError) {
    let count = try ue()
    guard count <= 255 else { throw failure("has \(count) blocks") }
    if count > 0 { try align() }
    for _ in 0..<count {
      let length = Int(try ue()) * 8
      let level = try u(8)
      guard length <= size - position else { throw failure("ends inside a block") }
      var left = length
      if level == 5, left >= 52, let frame = changes.frame {
        isCopying = false
        var margins: [UInt32] = []
        for _ in 0..<4 { margins.append(try u(13)) }
        isCopying = true
        for margin in frame.moved(margins) { try put(13, margin) }
        left -= 52
      }
      while left > 0 {
        try u(min(left, 32))
        left -= min(left, 32)
      }
    }
  }

  private func failure(_ detail: String) -> SyntaxError {
    SyntaxError(.unsupported, field: "rpu_data", offset: position / 8, detail: detail)
  }
}
