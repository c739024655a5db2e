// SPDX-License-Identifier: MIT

internal import AVC
public import ApusBytes
internal import FLV
internal import HEVC

extension RecordFinder {
  /// Returns the configurations of the HEVC and H.264 tracks of an FLV file, in either dialect; one that is repeated
  /// unchanged counts once.
  public static func records(inFLV source: any ByteSource, limits: Limits = Limits())
    throws(SyntaxError) -> Result
  {
    var reader = try TagReader(source, limits: limits)
    var result = Result()
    while let tag = try reader.nextTag() {
      guard tag.header.type == .video else { continue }
      for packet in try reader.packets(of: tag, limits: limits) where packet.kind == .configuration
      {
        switch packet.codec {
        case .hevc: try add(packet, of: source, limits, &result)
        case .avc: try addAVC(packet, of: source, &result)
        default: break
        }
      }
    }
    return result
  }

  private static func add(
    _ packet: Packet, of source: any ByteSource, _ limits: Limits, _ result: inout Result
  ) throws(SyntaxError) {
    let bytes = try Extent(source, packet.data).bytes()
    let user = FoundRecord.User.track(UInt32(packet.trackID))
    guard !result.records.contains(where: { $0.bytes == bytes && $0.users == [user] }) else {
      return
    }
    do throws(SyntaxError) {
      let record = try DecoderConfigurationRecord(bytes, limits: limits)
      result.records.append(
        FoundRecord(record, bytes: bytes, offset: packet.data.lowerBound, users: [user]))
    } catch {
      result.findings.append(unreadable(packet, error))
    }
  }

  private static func addAVC(
    _ packet: Packet, of source: any ByteSource, _ result: inout Result
  ) throws(SyntaxError) {
    let bytes = try Extent(source, packet.data).bytes()
    let user = FoundRecord.User.track(UInt32(packet.trackID))
    guard !result.avcRecords.contains(where: { $0.bytes == bytes && $0.users == [user] }) else {
      return
    }
    do throws(SyntaxError) {
      let record = try AVCConfiguration(bytes)
      result.avcRecords.append(
        FoundAVCRecord(record, bytes: bytes, offset: packet.data.lowerBound, users: [user]))
    } catch {
      result.avcFindings.append(unreadable(packet, error))
    }
  }

  private static func unreadable(_ packet: Packet, _ error: SyntaxError) -> Finding {
    Finding(
      .error, rule: "record-unreadable", path: "",
      offset: packet.data.lowerBound + (error.offset ?? 0), message: error.message)
  }
}
