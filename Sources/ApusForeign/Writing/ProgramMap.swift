// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia

/// The head of a packet of a transport stream: ISO/IEC 13818-1, 2.4.3.2.
struct TransportPacketHeader: SyntaxStructure {
  static let packetSize = 188
  static let size = 4

  private var syncByte: UInt8 = 0x47
  private var transportErrorIndicator = false
  /// Whether a section begins in it, after a byte with its place.
  private(set) var payloadUnitStartIndicator = false
  private var transportPriority = false
  private(set) var pid: UInt16 = 0
  private var transportScramblingControl: UInt8 = 0
  /// The kind of content: 1 if only the payload follows.
  private(set) var adaptationFieldControl: UInt8 = 1
  private var continuityCounter: UInt8 = 0

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "sync_byte", &syncByte, as: .hex)
    try v.flag("transport_error_indicator", &transportErrorIndicator)
    try v.flag("payload_unit_start_indicator", &payloadUnitStartIndicator)
    try v.flag("transport_priority", &transportPriority)
    try v.u(13, "PID", &pid)
    try v.u(2, "transport_scrambling_control", &transportScramblingControl)
    try v.u(2, "adaptation_field_control", &adaptationFieldControl)
    try v.u(4, "continuity_counter", &continuityCounter)
  }
}

/// The head of a section of program tables: ISO/IEC 13818-1, 2.4.4.
struct ProgramSectionHeader: SyntaxStructure {
  /// The number of bytes after `section_length` that belong to it.
  static let countedSize = 5

  private(set) var tableID: UInt8 = 0
  private var indicators: UInt8 = 0
  /// The number of bytes after this field, including the checksum.
  var sectionLength: UInt16 = 0
  private var programNumber: UInt16 = 0
  private var version: UInt8 = 0
  private var sectionNumber: UInt8 = 0
  private var lastSectionNumber: UInt8 = 0

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "table_id", &tableID)
    try v.u(4, "section_syntax_indicator", &indicators)
    try v.u(12, "section_length", &sectionLength)
    try v.u(16, "program_number", &programNumber)
    try v.u(8, "version_number", &version)
    try v.u(8, "section_number", &sectionNumber)
    try v.u(8, "last_section_number", &lastSectionNumber)
  }
}

/// The table with the place of the map of the only program: ISO/IEC 13818-1, 2.4.4.3.
struct ProgramAssociation: SyntaxStructure {
  private var header = ProgramSectionHeader()
  private var programNumber: UInt16 = 0
  private var reserved: UInt8 = 0
  private(set) var programMapPID: UInt16 = 0

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try header.syntax(&v)
    try v.u(16, "program_number", &programNumber)
    try v.u(3, "reserved", &reserved)
    try v.u(13, "program_map_PID", &programMapPID)
  }
}

/// The streams of a program: ISO/IEC 13818-1, 2.4.4.8.
struct ProgramMap: SyntaxStructure {
  struct Stream: SyntaxStructure {
    private var streamType: UInt8 = 0
    private var pidBits: UInt16 = 0
    private var reserved: UInt8 = 0
    private var length: UInt16 = 0
    /// Its descriptors, one after the other.
    var descriptors: [UInt8] = [] { didSet { length = UInt16(clamping: descriptors.count) } }

    var size: Int { 5 + descriptors.count }

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(8, "stream_type", &streamType, as: .hex)
      try v.u(16, "elementary_PID", &pidBits, as: .hex)
      try v.u(4, "reserved", &reserved)
      try v.u(12, "ES_info_length", &length)
      try v.bytes("ES_info", &descriptors, count: Int(length))
    }
  }

  private var header = ProgramSectionHeader()
  private var clockPID: UInt16 = 0
  private var reserved: UInt8 = 0
  private var length: UInt16 = 0
  private var descriptors: [UInt8] = []
  private(set) var streams: [Stream] = []
  private var checksum: UInt32 = 0

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try header.syntax(&v)
    try v.u(16, "PCR_PID", &clockPID, as: .hex)
    try v.u(4, "reserved", &reserved)
    try v.u(12, "program_info_length", &length)
    try v.bytes("program_info", &descriptors, count: Int(length))
    // The remaining bytes without the checksum.
    var left =
      Int(header.sectionLength) - ProgramSectionHeader.countedSize - 4 - descriptors.count - 4
    if v.isReading { streams = [] }
    var index = 0
    while left > 0 {
      var stream = v.isReading ? Stream() : streams[index]
      try stream.syntax(&v)
      if v.isReading { streams.append(stream) }
      left -= stream.size
      index += 1
    }
    try v.u(32, "CRC_32", &checksum, as: .hex)
  }

  var isMap: Bool { header.tableID == 2 }

  /// Adds a descriptor to those of a stream.
  mutating func add(_ descriptor: [UInt8], to stream: Int) {
    streams[stream].descriptors += descriptor
    header.sectionLength += UInt16(descriptor.count)
  }

  /// Returns the section with its checksum.
  func bytes() throws(SyntaxError) -> [UInt8] {
    var copy = self
    let content = try encoded().dropLast(4)
    copy.checksum = CyclicChecksum.of(content)
    return try copy.encoded()
  }
}
