// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia

/// Adds stream descriptors that libavformat does not write to the program map of a transport stream.
struct ProgramMapEditor {
  /// The descriptors of each stream, in the order of the streams.
  private let descriptors: [[UInt8]]
  private var mapPID: UInt16?
  /// The beginning of a packet whose end has not come yet.
  private var rest: [UInt8] = []

  /// Returns `nil` if there is nothing to add.
  init?(_ descriptors: [[UInt8]]) {
    guard descriptors.contains(where: { !$0.isEmpty }) else { return nil }
    self.descriptors = descriptors
  }

  /// Returns the written pieces, which must be consecutive, in whole packets.
  mutating func edited(_ pieces: [ForeignMuxer.Piece], isLast: Bool) throws -> [ForeignMuxer.Piece]
  {
    var edited: [ForeignMuxer.Piece] = []
    for piece in pieces {
      let offset = piece.offset - rest.count
      var bytes = rest + piece.bytes
      let size = TransportPacketHeader.packetSize
      let whole = bytes.count / size * size
      for start in stride(from: 0, to: whole, by: size) {
        try edit(&bytes, start..<start + size)
      }
      rest = isLast ? [] : Array(bytes[whole...])
      edited.append((offset, isLast ? bytes : Array(bytes[..<whole])))
    }
    return edited
  }

  private mutating func edit(_ bytes: inout [UInt8], _ place: Range<Int>) throws {
    var header = TransportPacketHeader()
    var reader = SyntaxReader(MemorySource(Array(bytes[place])))
    try header.syntax(&reader)
    guard header.payloadUnitStartIndicator, header.adaptationFieldControl == 1,
      header.pid == 0 || header.pid == mapPID
    else { return }
    var pointer: UInt8 = 0
    try reader.u(8, "pointer_field", &pointer)
    guard pointer == 0 else { return }
    if header.pid == 0 {
      var association = ProgramAssociation()
      try association.syntax(&reader)
      mapPID = association.programMapPID
      return
    }
    var map = ProgramMap()
    do throws(SyntaxError) {
      try map.syntax(&reader)
    } catch {
      throw Self.noRoom
    }
    guard map.isMap, map.streams.count == descriptors.count else { return }
    for (stream, descriptor) in descriptors.enumerated() where !descriptor.isEmpty {
      map.add(descriptor, to: stream)
    }
    let section = try map.bytes()
    let start = place.lowerBound + TransportPacketHeader.size + 1
    guard start + section.count <= place.upperBound else { throw Self.noRoom }
    let padding = [UInt8](repeating: 0xff, count: place.upperBound - start - section.count)
    bytes.replaceSubrange(start..<place.upperBound, with: section + padding)
  }

  /// The error for a map of more than one packet.
  private static var noRoom: MediaError {
    MediaError(
      .unsupported, of: .part("the program map"),
      "has no room for the configuration of Dolby Vision with so many tracks")
  }
}

extension DolbyVision {
  /// Returns the descriptor for a program map: Dolby Vision Streams Within the MPEG-2 Transport Stream Format 1.2, 2.2.
  /// Its body equals that of the box in movies up to the compatibility.
  func descriptor() throws(SyntaxError) -> [UInt8] {
    var descriptor = DolbyVisionDescriptor(self)
    var writer = SyntaxWriter(ArraySink())
    try descriptor.syntax(&writer)
    return writer.sink.bytes
  }
}

/// `DOVI_video_stream_descriptor`.
private struct DolbyVisionDescriptor {
  private var tag: UInt8 = 0xb0
  private var length: UInt8 = 5
  private var vision: DolbyVision
  private var dependencyPID: UInt16 = 0
  private var reserved: UInt8 = 0

  init(_ vision: DolbyVision) { self.vision = vision }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    if !vision.hasBaseLayer { length = 7 }
    try v.u(8, "descriptor_tag", &tag, as: .hex)
    try v.u(8, "descriptor_length", &length)
    try v.u(8, "dv_version_major", &vision.versionMajor)
    try v.u(8, "dv_version_minor", &vision.versionMinor)
    try v.u(7, "dv_profile", &vision.profile)
    try v.u(6, "dv_level", &vision.level)
    try v.flag("rpu_present_flag", &vision.hasRPUs)
    try v.flag("el_present_flag", &vision.hasEnhancementLayer)
    try v.flag("bl_present_flag", &vision.hasBaseLayer)
    if !vision.hasBaseLayer {
      try v.u(13, "dependency_pid", &dependencyPID)
      try v.u(3, "reserved", &reserved)
    }
    try v.u(4, "dv_bl_signal_compatibility_id", &vision.compatibility)
    try v.u(4, "reserved", &reserved)
  }
}
