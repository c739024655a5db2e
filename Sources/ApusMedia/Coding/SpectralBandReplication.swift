// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The extensions of AAC in an `AudioSpecificConfig`: ISO/IEC 14496-3, 1.6.2.1.
public struct SpectralBandReplication: Hashable, Sendable {
  /// Whether the backward-compatible extension signals SBR (`sbrPresentFlag`).
  public var isPresent = false
  /// The index of the decoded sampling frequency; 15 if `frequency` follows.
  public var frequencyIndex: UInt8 = 0
  /// The sampling frequency if the index is 15.
  public var frequency: UInt32 = 0
  /// A second extension: 11 bits, 0x548 for an extension. `nil` if no bits are left for it.
  public var syncExtension: UInt16?
  /// Whether the second extension signals parametric stereo (`psPresentFlag`).
  public var hasParametricStereo = false

  public init() {}

  mutating func frequency<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(4, "extensionSamplingFrequencyIndex", &frequencyIndex)
    if frequencyIndex == 15 { try v.u(24, "extensionSamplingFrequency", &frequency) }
  }

  mutating func parametricStereo<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    guard var sync = syncExtension else { return }
    try v.u(11, "syncExtensionType", &sync, as: .hex)
    if v.isAssigning { syncExtension = sync }
    if sync == 0x548 { try v.flag("psPresentFlag", &hasParametricStereo) }
  }
}
