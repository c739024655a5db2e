// SPDX-License-Identifier: MIT

import ApusBytes
import HEVC
import TestSupport
import Testing

/// One NAL unit under test: bytes that another program wrote, and what a third one says they mean.
struct NALRow: Sendable, CustomTestStringConvertible {
  /// What the bytes are and who wrote them.
  var source: String
  var bytes: [UInt8]
  /// The parameter sets that it refers to.
  var sets: [String]
  /// `name=value` of every field in order, the alignment at the end of a payload aside. Fields of one name
  /// that follow each other are one, `name=1,2,3`.
  var fields: [String]

  init(_ source: String, sets: [String] = [], _ bytes: String, _ fields: String) {
    self.source = source
    self.bytes = hex(bytes)
    self.sets = sets
    // A line that ends with a backslash goes on in the next.
    let joined = fields.split(separator: "\n").map {
      $0.hasSuffix("\\") ? String($0.dropLast()) : $0 + " "
    }.joined()
    self.fields = joined.split(separator: " ").map(String.init)
  }

  var testDescription: String { source }

  var parameterSets: ParameterSets {
    var result = ParameterSets()
    for set in sets { result.add(nalUnit: hex(set)) }
    result.activeSequenceID = result.sequences.keys.first
    return result
  }

  /// The same, read by its declaration: written back, with its fields and its failure.
  func read(_ bytes: [UInt8]) throws -> (bytes: [UInt8], fields: [Field], failure: SyntaxError?) {
    switch NALUnitHeader(of: self.bytes)?.nalUnitType {
    case .vps: try read(VideoParameterSet.self, bytes)
    case .sps: try read(SequenceParameterSet.self, bytes)
    case .pps: try read(PictureParameterSet.self, bytes)
    case .prefixSEI, .suffixSEI: try read(SupplementalInformation.self, bytes)
    case .aud: try read(AccessUnitDelimiter.self, bytes)
    case .unspec62: try read(ReferenceProcessingUnit.self, bytes)
    case .fd: try read(FillerData.self, bytes)
    default: try readSlice(bytes)
    }
  }

  private func read<Payload: NALUnitPayload>(_ type: Payload.Type, _ bytes: [UInt8]) throws
    -> (bytes: [UInt8], fields: [Field], failure: SyntaxError?)
  {
    let unit = NALUnit<Payload>(bytes, sets: parameterSets)
    return (try unit.bytes(), try unit.fields(), unit.failure)
  }

  private func readSlice(_ bytes: [UInt8]) throws
    -> (bytes: [UInt8], fields: [Field], failure: SyntaxError?)
  {
    do throws(SyntaxError) {
      let segment = try SliceSegment(bytes, sets: parameterSets)
      let written = try segment.headerBytes() + bytes.dropFirst(segment.headerSize)
      return (written, try segment.fields(), nil)
    } catch {
      return (bytes, [], error)
    }
  }

  /// The fields as `fields` has them.
  static func listing(_ fields: [Field]) -> [String] {
    var result: [(name: String, values: [String])] = []
    func add(_ name: Substring, _ values: [String]) {
      if let last = result.last, last.name == name {
        result[result.count - 1].values += values
      } else {
        result.append((String(name), values))
      }
    }
    for (path, field) in fields.flatMap(\.leaves) {
      let name = (path.split(separator: ".").last ?? "").prefix { $0 != "[" }
      guard !name.hasSuffix("alignment_bits"), name != "byte_alignment",
        name != "rbsp_alignment_zero_bit"
      else { continue }
      switch field.value {
      case .number(let number): add(name, ["\(number)"])
      case .signed(let number): add(name, ["\(number)"])
      case .bytes(let bytes): add(name, bytes.map { "\($0)" })
      default: add(name, [field.text])
      }
    }
    return result.map { "\($0.name)=\($0.values.joined(separator: ","))" }
  }
}

/// The four checks that every NAL unit passes: fields, bytes, bits, prefixes.
func check(_ row: NALRow) throws {
  let (written, fields, failure) = try row.read(row.bytes)
  #expect(failure == nil)
  #expect(written == row.bytes)
  #expect(NALRow.listing(fields) == row.fields)

  for bit in 0..<row.bytes.count * 8 {
    var flipped = row.bytes
    flipped[bit / 8] ^= 0x80 >> UInt8(bit % 8)
    #expect(try row.read(flipped).bytes == flipped, "bit \(bit) was lost")
  }

  let isSlice = NALUnitHeader(of: row.bytes)?.nalUnitType.isVCL ?? false
  for count in row.bytes.indices {
    let cut = Array(row.bytes.prefix(count))
    let (written, _, failure) = try row.read(cut)
    #expect(written == cut)
    #expect(isSlice || failure != nil, "nothing was said about \(count) bytes")
  }
}
