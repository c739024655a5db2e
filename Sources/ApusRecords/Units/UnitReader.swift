// SPDX-License-Identifier: MIT

package import AVC
package import ApusBytes
package import HEVC

/// Reads the NAL units of a stream of HEVC or H.264 in decoding order, and keeps the parameter sets to which later ones
/// refer. Only the headers of slices are read.
package struct UnitReader: Sendable {
  private enum Sets: Sendable {
    case hevc(ParameterSets)
    case avc(AVCKnownSets)
  }

  private var sets: Sets
  private let limits: Limits

  /// The number of bytes read at first of a slice, and those read if its headers are longer.
  private static let (glance, most) = (512, 1 << 20)
  /// The size above which a unit that is not a slice is not parsed.
  private static let mostParsed = 1 << 16

  /// Creates a reader of units that refer to the sets of a record.
  package init(
    _ record: DecoderConfigurationRecord, _ layered: LayeredDecoderConfigurationRecord? = nil,
    limits: Limits = Limits()
  ) {
    sets = .hevc(StreamHeaders(record, layered, limits: limits).sets)
    self.limits = limits
  }

  /// Creates a reader of units that refer to the sets of a record.
  package init(_ record: AVCConfiguration, limits: Limits = Limits()) {
    sets = .avc(AVCKnownSets(record))
    self.limits = limits
  }

  /// Creates a reader of a stream that contains its sets.
  package init(isAVC: Bool, limits: Limits = Limits()) {
    sets = isAVC ? .avc(AVCKnownSets()) : .hevc(ParameterSets())
    self.limits = limits
  }

  /// Reads the next unit only if later ones may refer to it.
  package mutating func pass(_ unit: SampleUnits.Unit) throws(SyntaxError) {
    guard unit.bytes.count <= Self.mostParsed, isSet(unit.first) else { return }
    add(try unit.bytes.bytes())
  }

  /// Returns the next unit.
  package mutating func next(_ unit: Extent) throws(SyntaxError) -> UnitSyntax {
    let head = try unit.prefix(Self.glance).bytes()
    if let slice = try slice(unit, head) { return slice }
    guard unit.count <= Self.mostParsed else { return try opaque(unit, head) }
    let bytes = unit.count == head.count ? head : try unit.bytes()
    let start = unit.range.lowerBound
    add(bytes)
    switch sets {
    case .hevc(let sets):
      let syntax = try NALUnitFields(of: bytes, sets: sets, at: start, limits: limits)
      return UnitSyntax(
        syntax.header.nalUnitType.name, unit.range, syntax.fields, failure: syntax.failure)
    case .avc(let sets):
      let syntax = try AVCNALUnitFields(
        of: bytes, sequences: sets.sequences, at: start, limits: limits)
      return UnitSyntax(
        syntax.header.nalUnitType.name, unit.range, syntax.fields, failure: syntax.failure)
    }
  }

  private func isSet(_ first: UInt8) -> Bool {
    switch sets {
    case .hevc: NALUnitType(firstByte: first).isParameterSet
    case .avc: AVCNALUnitType(firstByte: first).isParameterSet
    }
  }

  private mutating func add(_ bytes: [UInt8]) {
    guard let first = bytes.first, isSet(first) else { return }
    switch sets {
    case .hevc(var known):
      known.add(nalUnit: bytes, limits: limits)
      sets = .hevc(known)
    case .avc(var known):
      known.add(nalUnit: bytes, limits: limits)
      sets = .avc(known)
    }
  }

  // MARK: - Slices and units that are not parsed

  /// Returns a slice with its headers; `nil` for other units.
  private mutating func slice(_ unit: Extent, _ head: [UInt8]) throws(SyntaxError) -> UnitSyntax? {
    guard let first = head.first, isSlice(first) else { return nil }
    let parsed: UnitSyntax
    do throws(SyntaxError) {
      parsed = try headers(unit, head)
    } catch  where error.kind == .truncated && head.count < unit.count {
      do throws(SyntaxError) {
        parsed = try headers(unit, try unit.prefix(Self.most).bytes())
      } catch {
        return try opaque(unit, head, error)
      }
    } catch {
      return try opaque(unit, head, error)
    }
    return parsed
  }

  private func isSlice(_ first: UInt8) -> Bool {
    switch sets {
    case .hevc: NALUnitType(firstByte: first).isSliceSegment
    case .avc: AVCNALUnitType(firstByte: first).startsSlice
    }
  }

  private mutating func headers(_ unit: Extent, _ bytes: [UInt8]) throws(SyntaxError) -> UnitSyntax
  {
    let start = unit.range.lowerBound
    var parsed: UnitSyntax
    switch sets {
    case .hevc(var known):
      let segment = try SliceSegment(bytes, sets: known, limits: limits)
      parsed = UnitSyntax(
        segment.header.nalUnitType.name, unit.range, try segment.fields(at: start))
      parsed.addRest("slice_segment_data", from: start + segment.headerSize, in: unit.source)
      // Messages without an ID refer to the set in use.
      let active = segment.slice.sequenceParameterSet?.spsSeqParameterSetID
      if known.activeSequenceID != active {
        known.activeSequenceID = active
        sets = .hevc(known)
      }
    case .avc(let known):
      let slice = try AVCSlice(bytes, sets: known, limits: limits)
      parsed = UnitSyntax(
        slice.header.nalUnitType.name, unit.range, try slice.fields(at: start))
      parsed.addRest("slice_data", from: start + slice.headerSize, in: unit.source)
    }
    parsed.isSlice = true
    return parsed
  }

  /// Returns a unit of which only the header is parsed.
  private func opaque(_ unit: Extent, _ head: [UInt8], _ failure: SyntaxError? = nil)
    throws(SyntaxError) -> UnitSyntax
  {
    let start = unit.range.lowerBound
    var parsed: UnitSyntax
    let size: Int
    switch sets {
    case .hevc:
      let header = NALUnitHeader(of: head)
      size = header == nil ? 0 : NALUnitHeader.size
      let fields = try FieldMapper.fields(at: start) { v throws(SyntaxError) in
        if var header { try v.group("nal_unit_header", &header) }
      }
      parsed = UnitSyntax(header?.nalUnitType.name ?? "", unit.range, fields, failure: failure)
    case .avc:
      var header = AVCNALUnitHeader(head.first ?? 0)
      size = 1
      let fields = try FieldMapper.fields(at: start) { v throws(SyntaxError) in
        try v.group("nal_unit_header", &header)
      }
      parsed = UnitSyntax(header.nalUnitType.name, unit.range, fields, failure: failure)
    }
    parsed.isSlice = failure != nil
    parsed.addRest("rbsp_bytes", from: start + size, in: unit.source)
    return parsed
  }
}
