// SPDX-License-Identifier: MIT

import Bytes
import Facts
import HEVC
import Media
import Records
import Transcode

/// The facts of one file as JSON.
struct InfoJSON {
  func write<Output: TextOutputStream>(
    _ overview: Overview, _ measures: Result<[PlaybackMeasure], any Error>? = nil, file: String,
    to json: inout JSONWriter<Output>
  ) {
    json.object { json in
      json.field("file", file)
      json.field("size", overview.size)
      json.field("kind", overview.kind.rawValue)
      json.key("brands")
      json.array { json in for brand in overview.brands { json.value(brand.description) } }
      json.field("fragmented", overview.isFragmented)
      write(overview.traits, to: &json)
      json.field("duration", overview.duration)
      json.key("tracks")
      json.array { json in for track in overview.tracks { write(track, to: &json) } }
      if let picture = overview.picture {
        json.key("picture")
        write(picture, to: &json)
      }
      if let map = overview.gainMap { write(map, to: &json) }
      json.field("motion_video", overview.motionVideo)
      if let stream = overview.stream {
        json.key("stream")
        write(stream, to: &json)
      }
      if let measures { MeasureText().write(measures, to: &json) }
      json.key("findings")
      json.array { json in
        for finding in overview.findings { json.finding(finding) }
      }
    }
  }

  private func write<Output: TextOutputStream>(
    _ traits: MediaTraits, to json: inout JSONWriter<Output>
  ) {
    json.field("media", traits.kind.rawValue)
    json.field("playback", traits.playback.rawValue)
    json.key("traits")
    json.object { json in
      for (name, answer) in traits.answers { json.field(name, answer.rawValue) }
    }
    json.field("content_identifier", traits.contentIdentifier)
    json.field("burst_identifier", traits.burstIdentifier)
  }

  private func write<Output: TextOutputStream>(
    _ track: TrackFacts, to json: inout JSONWriter<Output>
  ) {
    json.object { json in
      json.field("id", track.id)
      json.field("handler", track.handler?.description)
      json.field("language", track.language)
      json.key("sample_entries")
      json.array { json in for type in track.entryTypes { json.value(type.description) } }
      json.field("codec", track.codec)
      json.key("supplemental_codecs")
      json.array { json in for codec in track.supplementalCodecs { json.value(codec) } }
      json.field("duration", track.duration)
      json.field("timescale", track.timescale)
      json.field("samples", track.samples.count)
      json.field("bytes", track.samples.bytes)
      json.field("bit_rate", track.bitRate)
      if let video = track.video {
        write(video, to: &json)
        write(track.frameRate, to: &json)
        json.field("constant_frame_rate", track.isConstantRate)
        write(
          track.pictures, keys: track.samples.keyCount, longest: track.samples.longestGroup,
          length: track.groupLength, to: &json)
      }
      if let sound = track.sound {
        json.field("channels", sound.channels)
        json.field("sample_rate", sound.rate)
      }
      write(track.apple, to: &json)
    }
  }

  private func write<Output: TextOutputStream>(
    _ video: VideoFacts, to json: inout JSONWriter<Output>
  ) {
    write(video.codedSize, "coded", to: &json)
    write(video.displaySize, "display", to: &json)
    json.field("rotation", video.rotation)
    json.field("mirrored", video.isMirrored)
    write(video.format, to: &json)
    write(video.colour, to: &json)
  }

  private func write<Output: TextOutputStream>(
    _ stream: StreamFacts, to json: inout JSONWriter<Output>
  ) {
    json.object { json in
      json.field("codec", stream.codec)
      json.field("bytes", stream.bytes)
      json.field("bit_rate", stream.bitRate)
      if let video = stream.video { write(video, to: &json) }
      write(stream.frameRate, to: &json)
      json.key("nal_units")
      json.object { json in
        for (type, count) in stream.nalUnits.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
          json.field(type.name, count)
        }
      }
      json.field("pictures", stream.pictures.total)
      write(
        stream.pictures, keys: stream.keyCount, longest: stream.longestGroup,
        length: stream.groupLength, to: &json)
    }
  }

  private func write<Output: TextOutputStream>(
    _ map: GainMapFacts, to json: inout JSONWriter<Output>
  ) {
    json.key("hdr")
    json.object { json in
      json.field("item", Int(map.item))
      if let problem = map.problem { json.field("problem", problem) }
      guard let parameters = map.parameters, let headroom = map.headroom, let origin = map.origin
      else { return }
      json.field("origin", origin.rawValue)
      json.key("headroom")
      json.number(headroom)
      json.key("base_hdr_headroom")
      json.number(parameters.baseHeadroom)
      json.key("alternate_hdr_headroom")
      json.number(parameters.alternateHeadroom)
      json.field("use_base_colour_space", parameters.usesBaseColour)
      json.key("channels")
      json.array { json in
        for channel in parameters.channels {
          json.object { json in
            for (name, value) in [
              ("gain_map_min", channel.minimum), ("gain_map_max", channel.maximum),
              ("gamma", channel.gamma), ("base_offset", channel.baseOffset),
              ("alternate_offset", channel.alternateOffset),
            ] {
              json.key(name)
              json.number(value)
            }
          }
        }
      }
    }
  }

  private func write<Output: TextOutputStream>(
    _ picture: PictureItemFacts, to json: inout JSONWriter<Output>
  ) {
    json.object { json in
      json.field("items", picture.itemCount)
      json.key("types")
      json.object { json in
        for (type, count) in picture.types { json.field(type.description, count) }
      }
      if let primary = picture.primary {
        json.key("primary")
        json.object { json in write(primary, to: &json) }
      }
      json.field("gain_map", picture.hasGainMap)
      if let map = picture.gainMap { write(map, to: &json) }
      json.key("auxiliaries")
      json.array { json in
        for auxiliary in picture.auxiliaries {
          json.object { json in
            json.field("urn", auxiliary.urn)
            json.field("name", auxiliary.name)
            write(auxiliary.item, to: &json)
          }
        }
      }
      json.key("thumbnails")
      json.array { json in
        for item in picture.thumbnails { json.object { json in write(item, to: &json) } }
      }
      json.key("metadata")
      json.array { json in
        for metadata in picture.metadata {
          json.object { json in
            json.field("id", metadata.id)
            json.field("kind", metadata.kind)
            json.field("bytes", metadata.bytes)
          }
        }
      }
      json.key("groups")
      json.array { json in
        for group in picture.groups {
          json.object { json in
            json.field("type", group.type.description)
            json.field("entities", group.entities)
          }
        }
      }
      if picture.groupCount > picture.groups.count {
        json.field("group_count", picture.groupCount)
      }
    }
  }

  private func write<Output: TextOutputStream>(
    _ item: ItemFacts, to json: inout JSONWriter<Output>
  ) {
    json.field("id", item.id)
    json.field("type", item.type.description)
    json.field("codec", item.codec)
    if let size = item.codedSize { write(size, "coded", to: &json) }
    if let size = item.displaySize { write(size, "display", to: &json) }
    json.field("rotation", item.rotation)
    json.field("mirrored", item.isMirrored)
    json.field("inputs", item.inputCount)
    json.field("bytes", item.bytes)
    write(item.format, to: &json)
    write(item.colour, to: &json)
    write(item.apple, to: &json)
  }
}

// MARK: - Parts

extension InfoJSON {
  private func write<Output: TextOutputStream>(
    _ size: PixelSize, _ name: String, to json: inout JSONWriter<Output>
  ) {
    json.field("\(name)_width", size.width)
    json.field("\(name)_height", size.height)
  }

  private func write<Output: TextOutputStream>(
    _ format: CodedFormat, to json: inout JSONWriter<Output>
  ) {
    json.field("profile", format.profile)
    json.field("tier", format.tier)
    json.field("level", format.level)
    json.field("chroma", format.chroma)
    json.field("bit_depth", format.bitDepth)
  }

  private func write<Output: TextOutputStream>(
    _ rate: FrameRate?, to json: inout JSONWriter<Output>
  ) {
    guard let rate else { return }
    json.field("frame_rate", rate.framesPerSecond)
    json.field("frame_rate_fraction", "\(rate.numerator)/\(rate.denominator)")
  }

  private func write<Output: TextOutputStream>(
    _ pictures: PictureCounts, keys: Int, longest: Int, length: Double?,
    to json: inout JSONWriter<Output>
  ) {
    json.field("key_frames", keys)
    json.field("gop_average", length)
    json.field("gop_longest", longest)
    json.key("frame_types")
    json.object { json in
      json.field("looked_at", pictures.total)
      json.field("I", pictures.intra)
      json.field("P", pictures.predicted)
      json.field("B", pictures.bidirectional)
      json.field("unknown", pictures.unknown)
    }
  }

  private func write<Output: TextOutputStream>(
    _ colour: ColourFacts, to json: inout JSONWriter<Output>
  ) {
    json.key("colour")
    json.object { json in
      json.field("dynamic_range", colour.dynamicRange ?? "SDR")
      if let points = colour.codePoints {
        json.field("source", colour.source?.rawValue)
        json.field("primaries", points.primaries)
        json.field("primaries_name", ColourName.primaries(points.primaries))
        json.field("transfer", points.transfer)
        json.field("transfer_name", ColourName.transfer(points.transfer))
        json.field("matrix", points.matrix)
        json.field("matrix_name", ColourName.matrix(points.matrix))
        json.field("full_range", points.isFullRange)
      }
      json.field("icc_profile", colour.hasICCProfile)
      json.field("mastering_min", colour.masteringLuminance?.lowerBound)
      json.field("mastering_max", colour.masteringLuminance?.upperBound)
      json.field("max_cll", colour.maxContentLight)
      json.field("max_fall", colour.maxAverageLight)
      json.field("dolby_vision_profile", colour.dolbyVisionProfile)
    }
  }

  private func write<Output: TextOutputStream>(
    _ apple: AppleSubset?, to json: inout JSONWriter<Output>
  ) {
    guard let apple else { return }
    json.key("apple")
    json.object { json in
      json.field("inside_subset", apple.isMet)
      json.key("reasons")
      json.array { json in for reason in apple.reasons { json.value(reason) } }
    }
  }
}

extension JSONWriter {
  /// Left out where there is nothing to say.
  fileprivate mutating func field(_ name: String, _ text: String?) {
    if let text { field(name, text) }
  }

  fileprivate mutating func field(_ name: String, _ number: Int?) {
    if let number { field(name, number) }
  }

  /// Left out where there is no number; JSON has none for what is not finite.
  fileprivate mutating func field(_ name: String, _ number: Double?) {
    guard let number, number.isFinite else { return }
    key(name)
    self.number(number)
  }
}
