// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEVC

/// Rules on the sample tables and the headers of NAL units: ISO/IEC 14496-15, 8.4.
extension Rule {
  static let sampleRules: [Rule] = [
    aboutSamples(
      "sample-lengths", "14496-15, 8.3.2.2", .error,
      "the lengths of the NAL units add up to the size of the sample"
    ) { context, scan in
      guard let tally = scan.badLengths else { return [] }
      return [
        Remark(
          "\(tally.count) of \(scan.samples) samples cannot be split into NAL units with lengths of \(context.record.lengthSize) bytes, first sample \(tally.first.sample + 1)",
          fix: "correct lengthSizeMinusOne or the sample table", offset: tally.first.offset)
      ]
    },
    aboutSamples(
      "sample-picture", "14496-15, 8.3.2.2", .warning, "every sample contains a picture"
    ) { _, scan in
      guard let tally = scan.noPicture else { return [] }
      return [
        Remark(
          "\(tally.count) of \(scan.samples) samples contain no picture of the base layer, first sample \(tally.first.sample + 1)",
          offset: tally.first.offset)
      ]
    },
    aboutSamples(
      "sample-sync", "14496-15, 8.4.3", .error, or: [.warning],
      "samples marked as sync samples begin with a random access picture"
    ) { _, scan in
      guard let tally = scan.falseSync else { return [] }
      let type = tally.first.type?.name ?? "none"
      // Image sequences are often written so, and video players accept them.
      guard scan.hasSyncTable || scan.isFragmented else {
        return [
          Remark(
            "there is no sync sample table, so all samples count as sync samples; \(tally.count) of \(scan.samples) contain no random access picture, first sample \(tally.first.sample + 1) with \(type)",
            fix: "add a sync sample table", .warning, offset: tally.first.offset)
        ]
      }
      return [
        Remark(
          "\(tally.count) of \(scan.samples) samples are marked as sync samples but contain no random access picture, first sample \(tally.first.sample + 1) with \(type)",
          fix: "remove them from the sync sample table", offset: tally.first.offset)
      ]
    },
    aboutSamples(
      "sample-sync-missed", "14496-15, 8.4.3", .warning,
      "samples with an IDR picture are marked as sync samples"
    ) { _, scan in
      guard let tally = scan.missedSync else { return [] }
      return [
        Remark(
          "\(tally.count) of \(scan.samples) samples contain an IDR picture but are not marked as sync samples, first sample \(tally.first.sample + 1)",
          fix: "add them to the sync sample table", offset: tally.first.offset)
      ]
    },
    aboutSamples(
      "sample-types", "14496-15, 8.3.2.2", .note,
      "samples contain only NAL units of types defined in the standard"
    ) { _, scan in
      scan.types.filter { type, _ in
        (10...15).contains(type.rawValue) || (22...31).contains(type.rawValue)
          || (41...47).contains(type.rawValue)
      }.sorted { $0.key.rawValue < $1.key.rawValue }.map { type, tally in
        Remark(
          "\(times(tally.count)) NAL units of reserved type \(type.rawValue) (\(type.name)), first in sample \(tally.first.sample + 1)",
          offset: tally.first.offset)
      }
    },
    aboutSamples(
      "sample-duration", "14496-12, 8.6.1.2", .warning, "no sample lasts 2^31 units or longer"
    ) { _, scan in
      guard let tally = scan.endless else { return [] }
      return [
        Remark(
          "\(tally.count) of \(scan.samples) samples last 2^31 units or longer, first sample \(tally.first.sample + 1), probably a negative number",
          fix: "correct the times of the samples", offset: tally.first.offset)
      ]
    },
    aboutSamples(
      "level-limits", "H.265, A.4", .warning,
      "picture size, frame rate and bit rate are within the level of the SPS"
    ) { context, scan in
      guard let sequence = context.sequences.first, let limits = context.levelLimits else {
        return []
      }
      let level = sequence.profileTierLevel.levelName
      let (width, height) = (
        Int(sequence.format.picWidthInLumaSamples), Int(sequence.format.picHeightInLumaSamples)
      )
      var remarks: [Remark] = []
      if !limits.holds(width: width, height: height) {
        remarks.append(
          Remark(
            "pictures of \(width)x\(height) exceed level \(level), which allows \(limits.pictureSize) samples",
            fix: "set the level that the stream needs"))
      }
      guard let rate = scan.averageFrameRate, let seconds = scan.seconds else { return remarks }
      // Times are rounded to units of the clock, and rates such as 29.97 are rounded by writers.
      if Double(width * height) * rate > Double(limits.sampleRate) * 1.01 {
        remarks.append(
          Remark(
            "\(rate.decimal()) pictures of \(width)x\(height) per second exceed level \(level), which allows \(limits.sampleRate) samples per second",
            fix: "set the level that the stream needs"))
      }
      let isHigh = sequence.profileTierLevel.general.tierFlag
      let bitRate = Double(scan.bytes) * 8 / seconds
      let allowed = isHigh ? limits.highBitRate : limits.mainBitRate
      // Because of buffering, short streams may exceed it.
      if seconds > 2, bitRate > Double(allowed) * 1.1 {
        remarks.append(
          Remark(
            "an average of \((bitRate / 1_000_000).decimal()) Mbit/s exceeds level \(level) in the \(isHigh ? "High" : "Main") tier, which allows \((Double(allowed) / 1_000_000).decimal()) Mbit/s",
            fix: "set the level or tier that the stream needs"))
      }
      return remarks
    } unless: { context, _ in
      context.levelLimits == nil ? "there is no SPS of Main or Main 10 with a known level" : nil
    },
    aboutSamples(
      "frame-rate-timing", "H.265, E.3.1", .warning,
      "samples of equal duration have the frame rate of the VUI or VPS"
    ) { context, scan in
      guard let rate = scan.frameRate, let said = context.statedRate else { return [] }
      guard !isNear(rate.framesPerSecond, said.rate.framesPerSecond) else { return [] }
      return [
        Remark(
          "the samples have \(rate.framesPerSecond.decimal()) fps, but the \(said.whose) has \(said.rate.framesPerSecond.decimal()) fps",
          fix: "players use the samples; correct the parameter set if it is wrong")
      ]
    } unless: { context, scan in
      if context.statedRate == nil { return "neither VUI nor VPS has a frame rate" }
      return scan.frameRate == nil ? "the samples have different durations" : nil
    },
  ]

  private static func aboutSamples(
    _ id: String, _ clause: String, _ severity: Finding.Severity,
    or milder: [Finding.Severity] = [], _ demand: String,
    _ check: @escaping @Sendable (RecordContext, SampleScan) -> [Remark],
    unless: @escaping @Sendable (RecordContext, SampleScan) -> String? = { _, _ in nil }
  ) -> Rule {
    Rule(
      id, clause, severity, or: milder, demand,
      reads: "the sample tables, headers of NAL units in samples"
    ) { context in
      guard case .done(let scan) = context.scan else {
        return .notApplicable(context.whyNoScan)
      }
      if let reason = unless(context, scan) { return .notApplicable(reason) }
      return .findings(check(context, scan))
    }
  }
}

extension RecordContext {
  /// The limits of the level of the stream; `nil` for profiles other than Main, Main 10 and Main Still Picture.
  fileprivate var levelLimits: LevelLimits? {
    guard let level = sequences.first?.profileTierLevel,
      (1...3).contains(level.general.profileIDC)
    else { return nil }
    return LevelLimits(level: level.generalLevelIDC)
  }

  /// The frame rate in the parameter sets.
  var statedRate: (rate: FrameRate, whose: String)? {
    if let rate = sequences.first?.frameRate { return (rate, "VUI") }
    if let rate = headers.baseVideos.first?.frameRate { return (rate, "VPS") }
    return nil
  }
}
