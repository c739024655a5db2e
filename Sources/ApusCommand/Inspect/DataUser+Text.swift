// SPDX-License-Identifier: MIT

import ApusBytes
import ApusJSON
import ApusRecords
import HEIF
import ISOBMFF

extension DataUser {
  /// The user as text, such as `track 1, sample 3` or `item 20 (hvc1)`.
  var name: String {
    switch self {
    case .sample(let sample, let track, _): "track \(track.id), sample \(sample.index + 1)"
    case .item(let item): "item \(item.id) (\(item.type))"
    case .picture(let number): "picture \(number)"
    }
  }

  /// The remarks on a sample: its time, and whether it is a key frame.
  var remarks: String {
    guard case .sample(let sample, let track, let start) = self else { return "" }
    let time = SampleTime(sample, of: track, from: start)
    var text = "  \(time.start.shortest) s"
    if sample.compositionOffset != 0 { text += ", decoded at \(time.decoding.shortest) s" }
    return text + (sample.isSync ? ", key frame" : "")
  }

  func write<Output: TextOutputStream>(to json: inout JSONWriter<Output>) {
    switch self {
    case .sample(let sample, let track, let start):
      let time = SampleTime(sample, of: track, from: start)
      json.field("track", track.id)
      json.field("sample", sample.index + 1)
      json.key("time")
      json.number(time.start)
      json.key("decode_time")
      json.number(time.decoding)
      json.field("is_key", sample.isSync)
    case .item(let item):
      json.field("item", item.id)
      json.field("item_type", item.type.description)
    case .picture(let number): json.field("picture", number)
    }
  }
}

/// The times of a sample in seconds, according to the edit list.
struct SampleTime {
  /// The time of presentation.
  let start: Double
  let decoding: Double
  let duration: Double

  /// - Parameter start: the time at which media time 0 is presented.
  init(_ sample: TrackSample, of track: Track, from start: Double) {
    let scale = Double(max(track.timescale, 1))
    func rounded(_ seconds: Double) -> Double { (seconds * 1e6).rounded() / 1e6 }
    self.start = rounded(start + Double(sample.compositionTime) / scale)
    decoding = rounded(start + Double(sample.decodeTime) / scale)
    duration = Double(sample.duration) / scale
  }
}

extension UnitSyntax {
  /// The type, range and layer of a NAL unit as text.
  func headline(_ palette: Palette) -> String {
    var text =
      palette.type(name.isEmpty ? "NAL unit" : name)
      + palette.place(" @\(range.lowerBound) +\(range.count)")
    if let layer { text += "  layer \(layer.id), temporal ID \(layer.temporalID)" }
    if !messages.isEmpty { text += "  " + messages.joined(separator: ", ") }
    if let failure { text += "  (\(failure.message))" }
    return text
  }

  /// Writes the members of a NAL unit before its fields.
  func write<Output: TextOutputStream>(to json: inout JSONWriter<Output>) {
    json.field("type", name)
    json.field("offset", range.lowerBound)
    json.field("size", range.count)
    if let layer {
      json.field("nuh_layer_id", layer.id)
      json.field("temporal_id", layer.temporalID)
    }
    if !messages.isEmpty {
      json.key("messages")
      json.array { json in
        for message in messages { json.value(message) }
      }
    }
    if let failure { json.field("failure", failure.message) }
  }
}
