// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia

/// The parameters of a gain map in stored form: ISO 21496-1, C.2. They follow a version byte in a `tmap` item, and an
/// identifier in a JPEG segment.
public struct GainMapPayload: SyntaxStructure, Hashable {
  /// A fraction with a signed numerator.
  public struct Signed: Hashable, Sendable {
    /// The numerator as stored.
    public var numerator: Int32 = 0
    /// The denominator as stored; 0 is invalid.
    public var denominator: UInt32 = 1
    /// The quotient, which is not finite if the denominator is 0.
    public var value: Double { Double(numerator) / Double(denominator) }
  }

  /// A fraction with an unsigned numerator.
  public struct Unsigned: Hashable, Sendable {
    /// The numerator as stored.
    public var numerator: UInt32 = 0
    /// The denominator as stored; 0 is invalid.
    public var denominator: UInt32 = 1
    /// The quotient, which is not finite if the denominator is 0.
    public var value: Double { Double(numerator) / Double(denominator) }
  }

  /// The parameters of one channel of the map, as fractions.
  public struct Channel: Blank, Hashable, Sendable {
    /// The logarithm to base 2 of the gain at the lowest code (`gain_map_min`).
    public var minimum = Signed()
    /// The logarithm to base 2 of the gain at the highest code (`gain_map_max`).
    public var maximum = Signed()
    /// The exponent with which the codes were made.
    public var gamma = Unsigned()
    /// The offset that is added to the base before the gain is applied.
    public var baseOffset = Signed()
    /// The offset that is subtracted after the gain is applied.
    public var alternateOffset = Signed()

    public init() {}
  }

  public var minimumVersion: UInt16 = 0
  public var writerVersion: UInt16 = 0
  /// Whether red, green and blue have separate parameters.
  public var isMultichannel = false
  /// Whether light is multiplied in the primaries of the base (`use_base_colour_space`).
  public var usesBaseColourSpace = true
  var reserved: UInt8 = 0
  /// Whether all fractions have a common denominator, which precedes them. libultrahdr writes this form; the standard
  /// has no such bit.
  public var hasCommonDenominator = false
  var flags: UInt8 = 0
  /// The display headroom up to which the base is shown, as a logarithm to base 2.
  public var baseHeadroom = Unsigned()
  /// The display headroom from which the map is applied completely, as a logarithm to base 2.
  public var alternateHeadroom = Unsigned()
  /// The parameters of each channel: one, or three if they are separate.
  public var channels: [Channel] = [Channel()]

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "minimum_version", &minimumVersion)
    guard minimumVersion == 0 else {
      throw v.failure(
        .unsupported, "minimum_version", "of the gain map is \(minimumVersion) instead of 0")
    }
    try v.u(16, "writer_version", &writerVersion)
    try v.flag("is_multichannel", &isMultichannel)
    try v.flag("use_base_colour_space", &usesBaseColourSpace)
    try v.u(2, "reserved", &reserved)
    try v.flag("common_denominator", &hasCommonDenominator)
    try v.u(3, "reserved_flags", &flags)
    var common = baseHeadroom.denominator
    if hasCommonDenominator { try v.u(32, "common_denominator_value", &common) }
    let isCommon = hasCommonDenominator
    try Self.fraction("base_hdr_headroom", &baseHeadroom, common, isCommon, &v)
    try Self.fraction("alternate_hdr_headroom", &alternateHeadroom, common, isCommon, &v)
    try v.list("channels", &channels, count: isMultichannel ? 3 : 1) {
      channel, v throws(SyntaxError) in
      try Self.fraction("gain_map_min", &channel.minimum, common, isCommon, &v)
      try Self.fraction("gain_map_max", &channel.maximum, common, isCommon, &v)
      try Self.fraction("gamma", &channel.gamma, common, isCommon, &v)
      try Self.fraction("base_offset", &channel.baseOffset, common, isCommon, &v)
      try Self.fraction("alternate_offset", &channel.alternateOffset, common, isCommon, &v)
    }
  }

  private static func fraction<V: SyntaxVisitor>(
    _ name: StaticString, _ value: inout Signed, _ common: UInt32, _ isCommon: Bool, _ v: inout V
  ) throws(SyntaxError) {
    try v.i(32, name, &value.numerator)
    if isCommon { value.denominator = common } else { try v.u(32, name, &value.denominator) }
  }

  private static func fraction<V: SyntaxVisitor>(
    _ name: StaticString, _ value: inout Unsigned, _ common: UInt32, _ isCommon: Bool,
    _ v: inout V
  ) throws(SyntaxError) {
    try v.u(32, name, &value.numerator)
    if isCommon { value.denominator = common } else { try v.u(32, name, &value.denominator) }
  }
}

extension GainMapPayload {
  /// Reads the payload of a `tmap` item, or of a JPEG segment after its identifier.
  ///
  /// - Parameter isItem: whether it follows the version of the item: ISO/IEC 23008-12, 6.6.2.4.
  public init(reading bytes: [UInt8], isItem: Bool) throws(SyntaxError) {
    var reader = SyntaxReader(MemorySource(bytes))
    if isItem {
      var version: UInt8 = 0
      try reader.u(8, "version", &version)
      guard version == 0 else {
        throw reader.failure(.unsupported, "version", "of the tone map is \(version) instead of 0")
      }
    }
    try syntax(&reader)
    let size = try self.bytes().count + (isItem ? 1 : 0)
    guard bytes.count == size || writerVersion > 0 else {
      throw SyntaxError(
        .invalid, field: "gain map parameters",
        detail: "have \(bytes.count) bytes, not \(size)")
    }
  }

  /// Returns the payload in written form, without the version byte of an item.
  public func bytes() throws(SyntaxError) -> [UInt8] { try encoded() }

  /// Removes extensions to the standard, without changing the numbers.
  ///
  /// - Returns: whether there were any.
  mutating func makeStandard() -> Bool {
    guard hasCommonDenominator || flags != 0 || reserved != 0 else { return false }
    (hasCommonDenominator, flags, reserved) = (false, 0, 0)
    return true
  }

  /// Swaps the base and the alternate picture.
  mutating func reverse() {
    swap(&baseHeadroom, &alternateHeadroom)
    for index in channels.indices {
      let offset = channels[index].baseOffset
      channels[index].baseOffset = channels[index].alternateOffset
      channels[index].alternateOffset = offset
    }
  }

  /// Returns the numbers; throws if one of them is invalid.
  public func parameters() throws(SyntaxError) -> GainMapParameters {
    let channels = try self.channels.map { channel throws(SyntaxError) in
      GainMapParameters.Channel(
        minimum: try Self.checked(channel.minimum.value, "gain_map_min"),
        maximum: try Self.checked(channel.maximum.value, "gain_map_max"),
        gamma: try Self.checked(channel.gamma.value, "gamma"),
        baseOffset: try Self.checked(channel.baseOffset.value, "base_offset"),
        alternateOffset: try Self.checked(channel.alternateOffset.value, "alternate_offset"))
    }
    let parameters = GainMapParameters(
      channels: channels, baseHeadroom: try Self.checked(baseHeadroom.value, "base_hdr_headroom"),
      alternateHeadroom: try Self.checked(alternateHeadroom.value, "alternate_hdr_headroom"),
      usesBaseColour: usesBaseColourSpace)
    try parameters.check()
    return parameters
  }

  /// Creates fractions from the numbers, with the smallest denominators that are accurate to a millionth.
  public init(_ parameters: GainMapParameters) {
    isMultichannel = parameters.channels.count > 1
    usesBaseColourSpace = parameters.usesBaseColour
    baseHeadroom = Unsigned(nearest: parameters.baseHeadroom)
    alternateHeadroom = Unsigned(nearest: parameters.alternateHeadroom)
    channels = parameters.channels.map { values in
      var channel = Channel()
      channel.minimum = Signed(nearest: values.minimum)
      channel.maximum = Signed(nearest: values.maximum)
      channel.gamma = Unsigned(nearest: values.gamma)
      channel.baseOffset = Signed(nearest: values.baseOffset)
      channel.alternateOffset = Signed(nearest: values.alternateOffset)
      return channel
    }
  }

  private static func checked(_ value: Double, _ name: StaticString) throws(SyntaxError) -> Double {
    guard value.isFinite, value.magnitude <= GainMapParameters.limit else {
      throw SyntaxError(
        .invalid, field: "\(name)",
        detail: "of the gain map is \(value), above the limit of \(GainMapParameters.limit)")
    }
    return value
  }
}

extension GainMapParameters {
  /// The limit of headroom, beyond any display or camera: 65,536 times white.
  static let limit = 16.0

  /// Throws for numbers with which a map cannot be applied.
  func check() throws(SyntaxError) {
    let problem: String? =
      if channels.contains(where: { $0.gamma <= 0 }) {
        "has a gamma that is not above 0"
      } else if channels.contains(where: { $0.maximum < $0.minimum }) {
        "has a maximum below its minimum"
      } else if baseHeadroom == alternateHeadroom {
        "has the same headroom for both pictures"
      } else {
        nil
      }
    guard let problem else { return }
    throw SyntaxError(.invalid, field: "the gain map", detail: problem)
  }
}

extension GainMapPayload.Signed {
  init(nearest value: Double) {
    let fraction = Fraction(nearest: value.magnitude)
    numerator = Int32(clamping: value < 0 ? -fraction.numerator : fraction.numerator)
    denominator = UInt32(clamping: fraction.denominator)
  }
}

extension GainMapPayload.Unsigned {
  init(nearest value: Double) {
    let fraction = Fraction(nearest: max(value, 0))
    numerator = UInt32(clamping: fraction.numerator)
    denominator = UInt32(clamping: fraction.denominator)
  }
}

/// A convergent of the continued fraction of a number from 0 to `GainMapParameters.limit`.
private struct Fraction {
  var numerator = 0
  var denominator = 1

  init(nearest value: Double) {
    var (before, last) = ((0, 1), (1, 0))
    var rest = min(value, GainMapParameters.limit)
    for _ in 0..<32 {
      let whole = rest.rounded(.down)
      let next = (Int(whole) * last.0 + before.0, Int(whole) * last.1 + before.1)
      guard next.1 <= 1_000_000 else { break }
      (before, last) = (last, next)
      guard (Double(last.0) / Double(last.1) - value).magnitude > 1e-9, rest - whole > 1e-9 else {
        break
      }
      rest = min(1 / (rest - whole), 1e7)
    }
    (numerator, denominator) = last.1 == 0 ? (0, 1) : last
  }
}
