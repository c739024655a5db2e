// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import HEVC

/// The role of a picture for others, as far as the header of its first slice shows: it determines what may be dropped
/// when the network is too slow.
struct ReferenceRole: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A picture at which a decoder can begin.
    case randomAccess
    /// A leading picture that may also refer to pictures decoded before its random access picture.
    case rasl
    /// A leading picture that refers to nothing decoded before its random access picture.
    case radl
    case trailing
  }

  var kind: Kind
  /// Whether other pictures of its temporal sub-layer may refer to it.
  var isReference: Bool
  var temporalID: UInt8
  var access: SublayerAccess

  /// The temporal sub-layers to which a decoder can switch at a picture that it has not decoded so far.
  enum SublayerAccess: Hashable, Sendable {
    case none
    /// Its own: neither it nor later pictures of the sub-layer refer to earlier ones of it (STSA: ITU-T H.265,
    /// 7.4.2.2).
    case own
    /// Its own and those above (TSA: ITU-T H.265, 7.4.2.2).
    case all
  }

  init(
    _ kind: Kind, isReference: Bool = true, temporalID: UInt8 = 0, access: SublayerAccess = .none
  ) {
    self.kind = kind
    self.isReference = isReference
    self.temporalID = temporalID
    self.access = access
  }

  init(_ header: NALUnitHeader) {
    let type = header.nalUnitType
    kind =
      type.isIRAP ? .randomAccess : type.isRASL ? .rasl : type.isRADL ? .radl : .trailing
    isReference = !type.isSubLayerNonReference
    temporalID = header.temporalID
    access =
      switch type {
      case .tsaN, .tsaR: .all
      case .stsaN, .stsaR: .own
      default: .none
      }
  }

  var isLeading: Bool { kind == .rasl || kind == .radl }

  /// Returns whether no picture at all refers to it.
  func isLeaf(highest: UInt8) -> Bool {
    !isReference && temporalID >= highest && kind != .randomAccess
  }
}

extension ReferenceRole {
  /// Reads the role from the first slice of an HEVC sample; `nil` where there is none.
  init?(hevc sample: Span<UInt8>, lengthSize: Int) {
    let role = Self.first(in: sample, lengthSize: lengthSize) { start, length in
      guard length >= NALUnitHeader.size else { return nil }
      let header = NALUnitHeader(sample[start], sample[start + 1])
      return header.nalUnitType.isVCL && header.nuhLayerID == 0 ? Self(header) : nil
    }
    guard let role else { return nil }
    self = role
  }

  /// Reads the role from the first slice of an AVC sample (`nal_ref_idc` and `nal_unit_type`: ITU-T H.264, 7.4.1).
  ///
  /// - Parameter isSync: whether the container marks it as a sync sample; decoding can begin at pictures other than
  ///   IDR.
  init?(avc sample: Span<UInt8>, lengthSize: Int, isSync: Bool) {
    let role = Self.first(in: sample, lengthSize: lengthSize) { start, length in
      guard length > 0 else { return nil }
      let header = AVCNALUnitHeader(sample[start])
      guard header.nalUnitType.isVCL else { return nil }
      return Self(
        isSync || header.nalUnitType == .idr ? .randomAccess : .trailing,
        isReference: header.nalRefIDC != 0)
    }
    guard let role else { return nil }
    self = role
  }

  /// Returns the role from the first slice. Does not throw: invalid lengths end the search, and the writer of the
  /// sample rejects it.
  private static func first(
    in sample: Span<UInt8>, lengthSize: Int, _ role: (_ start: Int, _ length: Int) -> Self?
  ) -> Self? {
    var index = 0
    while sample.count - index > lengthSize {
      let length = Int(bigEndianBytes: sample, at: index, count: lengthSize)
      let start = index + lengthSize
      guard length <= sample.count - start else { return nil }
      if let role = role(start, length) { return role }
      index = start + length
    }
    return nil
  }
}
