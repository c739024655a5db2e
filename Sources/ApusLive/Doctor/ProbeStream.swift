// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import FLV
internal import HEVC

/// The stream that is published for a trial: two seconds of one picture and of silence, as tags.
///
/// Every picture is a key frame, so a player may join anywhere. The sound distinguishes a server that drops HEVC from
/// one that sends nothing to players.
struct ProbeStream {
  /// Metadata and configurations.
  let opening: [OutgoingTag]
  /// Pictures and sounds in ascending order of time.
  let frames: [OutgoingTag]
  let ending: [OutgoingTag]
  /// The picture that a player must receive, with the lengths of NAL units before them.
  let picture: [UInt8]

  static let duration: Int64 = 2000
  private static let pictures: Int64 = 50
  private static let sampleRate: UInt32 = 44100

  init(_ dialect: HEVCDialect) throws {
    let sets = [ProbeMedia.video, ProbeMedia.sequence, ProbeMedia.picture]
    let record = try RecordBuilder().record(of: sets).record
    picture = try LengthPrefixed.bytes(of: [ProbeMedia.slice])
    var options = Packetizer.Options()
    options.dialect = dialect
    var packetizer = try Packetizer(
      video: [VideoTrack(.hevc(record))], audio: [AudioTrack(.aac(ProbeMedia.soundConfiguration))],
      options: options)
    opening = try packetizer.start()
    var tags: [OutgoingTag] = []
    var samples: Int64 = 0
    for number in 0..<Self.pictures {
      let time = RationalTime.milliseconds(number * Self.duration / Self.pictures)
      tags += try packetizer.add(Frame(.video, decodeTime: time, payload: Extent(picture)))
      let end = (number + 1) * Self.duration / Self.pictures
      while samples * 1000 < end * Int64(Self.sampleRate) {
        let time = RationalTime(samples, per: Self.sampleRate)
        tags += try packetizer.add(
          Frame(.audio, decodeTime: time, payload: Extent(ProbeMedia.sound)))
        samples += 1024
      }
    }
    frames = tags
    ending = try packetizer.finish()
  }
}
