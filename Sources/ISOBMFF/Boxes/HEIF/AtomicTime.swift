// SPDX-License-Identifier: MIT

public import ApusBytes

/// Atomic time at which an item was captured (`itai`): ISO/IEC 23001-17:2024/Amd 1.
public struct TAITimestamp: FullBox {
  public static let types: [FourCC] = ["itai"]
  public var header = FullBoxHeader()
  /// The time in nanoseconds since 1958-01-01 TAI.
  public var timestamp: UInt64 = 0
  public var isSynchronized = false
  public var hasFailed = false
  public var isModified = false
  public var reserved: UInt8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(64, "TAI_timestamp", &timestamp)
    try v.flag("synchronization_state", &isSynchronized)
    try v.flag("timestamp_generation_failure", &hasFailed)
    try v.flag("timestamp_is_modified", &isModified)
    try v.u(5, "reserved", &reserved)
  }
}

/// The accuracy of the clock behind atomic times (`taic`): ISO/IEC 23001-17:2024/Amd 1.
public struct TAIClock: FullBox {
  public static let types: [FourCC] = ["taic"]
  public var header = FullBoxHeader()
  /// The uncertainty in nanoseconds; all ones if it is unknown.
  public var timeUncertainty: UInt64 = .max
  /// The resolution in nanoseconds.
  public var clockResolution: UInt32 = 1
  /// The drift rate in picoseconds per second.
  public var clockDriftRate: Int32 = .max
  public var clockType: UInt8 = 0
  public var reserved: UInt8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(64, "time_uncertainty", &timeUncertainty)
    try v.u(32, "clock_resolution", &clockResolution)
    try v.i(32, "clock_drift_rate", &clockDriftRate)
    try v.u(2, "clock_type", &clockType)
    try v.u(6, "reserved", &reserved)
  }
}
