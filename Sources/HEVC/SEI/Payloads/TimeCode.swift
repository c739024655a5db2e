// SPDX-License-Identifier: MIT

public import ApusBytes

/// Time code (`time_code()`): ITU-T H.265, D.2.27.
public struct TimeCode: SEIPayload, Hashable {
  public static let payloadType: UInt32 = 136

  public var timestamps: [ClockTimestamp] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(2, "num_clock_ts", timestamps.count)
    try v.list("clock_ts", &timestamps, count: count)
  }
}

/// A time of day in a time code: ITU-T H.265, D.2.27.
public struct ClockTimestamp: SyntaxStructure, Hashable {
  public var clockTimestampFlag = false
  public var unitsFieldBasedFlag = false
  public var countingType: UInt8 = 0
  public var fullTimestampFlag = false
  public var discontinuityFlag = false
  public var cntDroppedFlag = false
  public var nFrames: UInt16 = 0
  public var secondsFlag = false
  public var secondsValue: UInt8 = 0
  public var minutesFlag = false
  public var minutesValue: UInt8 = 0
  public var hoursFlag = false
  public var hoursValue: UInt8 = 0
  public var timeOffsetLength: UInt8 = 0
  public var timeOffsetValue: Int32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("clock_timestamp_flag", &clockTimestampFlag)
    guard clockTimestampFlag else { return }
    try v.flag("units_field_based_flag", &unitsFieldBasedFlag)
    try v.u(5, "counting_type", &countingType)
    try v.flag("full_timestamp_flag", &fullTimestampFlag)
    try v.flag("discontinuity_flag", &discontinuityFlag)
    try v.flag("cnt_dropped_flag", &cntDroppedFlag)
    try v.u(9, "n_frames", &nFrames)
    try timeOfDay(&v)
    try v.u(5, "time_offset_length", &timeOffsetLength)
    if timeOffsetLength > 0 {
      try v.i(Int(timeOffsetLength), "time_offset_value", &timeOffsetValue)
    }
  }

  private mutating func timeOfDay<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    if !fullTimestampFlag { try v.flag("seconds_flag", &secondsFlag) }
    guard fullTimestampFlag || secondsFlag else { return }
    try v.u(6, "seconds_value", &secondsValue)
    if !fullTimestampFlag { try v.flag("minutes_flag", &minutesFlag) }
    guard fullTimestampFlag || minutesFlag else { return }
    try v.u(6, "minutes_value", &minutesValue)
    if !fullTimestampFlag { try v.flag("hours_flag", &hoursFlag) }
    guard fullTimestampFlag || hoursFlag else { return }
    try v.u(5, "hours_value", &hoursValue)
  }
}
