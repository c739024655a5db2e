// SPDX-License-Identifier: MIT

import ApusFiles
import ApusMedia
import ApusStills

extension ConvertSettings {
  init(_ verb: Convert) throws(UsageError) {
    var options = ConvertOptions()
    verb.picture.apply(to: &options)
    verb.heic.apply(to: &options)
    if verb.images == .all { options.job = .all }
    if let frame = verb.frame { options.job = .frame(Int(clamping: frame)) }
    if let item = verb.item { options.job = .item(UInt32(clamping: item)) }
    options.decoder = verb.decoder
    options.salvages = verb.salvage
    options.live = verb.live
    options.verifies = verb.verify || verb.removeSource != nil
    options.weighsRemoval = verb.removeSource != nil
    let place = try Self.place(verb)
    options.format = try Self.format(verb.picture.format, place)
    if options.format == .heic, verb.picture.quality == nil {
      options.quality = HEICChoices.usualQuality
    }
    try self.init(
      options, inputs: verb.inputs, output: verb.output, run: verb.batch, limits: verb.limits,
      place: place, name: verb.name)
    isIsolated = verb.isolate
    batch.time = verb.time
    batch.removal = verb.removeSource
    if options.format == .heic { batch.kinds = .ordinary }
    try check(verb)
  }

  /// The output place; a group is written to one file.
  private static func place(_ verb: Convert) throws(UsageError) -> BatchTarget.Place {
    guard verb.heic.frameRate == nil || verb.heic.group == .sequence else {
      throw UsageError("--fps needs --group sequence")
    }
    guard verb.heic.group != nil else {
      return try BatchTarget.Place(
        verb.output, verb.inputs, isJSON: verb.batch.json, writesNothing: verb.output.dryRun)
    }
    guard let path = verb.output.path, path != "-", !path.endsWithSlash else {
      throw UsageError("--group writes one file; name it with -o FILE.heic")
    }
    guard OutputFormat(extensionOf: path) ?? .heic == .heic, verb.picture.format ?? .heic == .heic
    else { throw UsageError("--group writes a HEIC, and \(path) would not be one") }
    guard !verb.output.dryRun, !verb.verify, verb.removeSource == nil,
      verb.batch.journal == nil
    else {
      throw UsageError(
        "--group cannot be combined with --dry-run, --journal, --verify or --remove-source")
    }
    return .file(path)
  }

  private func check(_ verb: Convert) throws(UsageError) {
    let options = batch.options
    if options.format == .heic, options.crop != nil || options.turn != .upright {
      let option =
        options.crop != nil ? "--crop" : verb.picture.rotate != nil ? "--rotate" : "--flip"
      throw UsageError("\(option) works with JPEG, PNG, WebP and PPM, but the output is heic")
    }
    if case .pipe(let path) = batch.target.place {
      guard batch.removal == nil else {
        throw UsageError("--remove-source needs an output file, and \(path) is not one")
      }
      guard verb.images == .primary else {
        throw UsageError("\(path) holds one picture; --images all needs a file or a folder")
      }
    }
    guard !options.verifies || [.jpeg, .png, .heic].contains(options.format) else {
      let option = batch.removal != nil ? "--remove-source" : "--verify"
      throw UsageError(
        "\(option) can check JPEG, PNG and HEIC, but the output is \(options.format.rawValue)")
    }
    guard options.hdr != .apply || options.format == .png else {
      throw UsageError(
        "--hdr apply needs 16-bit samples: use --format png, not \(options.format.rawValue)")
    }
    guard options.headroom == nil || options.hdr == .apply else {
      throw UsageError("--headroom needs --hdr apply")
    }
    try checkLive()
    try checkEncoder(verb)
    guard verb.frame == nil || verb.images == .primary else {
      throw UsageError("--frame and --images all cannot be combined")
    }
    guard verb.item == nil || verb.images == .primary else {
      throw UsageError("--item and --images all cannot be combined")
    }
  }

  private func checkEncoder(_ verb: Convert) throws(UsageError) {
    let options = batch.options
    guard options.heic.encoder == .own else { return }
    let refused: [(Bool, String)] = [
      (options.heic.isLossless, "does not support lossless coding"),
      (verb.heic.group == .sequence, "does not support sequences"),
      ([.yuv422, .yuv444].contains(options.chroma), "supports only 4:2:0 and grey"),
    ]
    if let reason = refused.first(where: \.0)?.1 {
      throw UsageError("--encoder own \(reason); use --encoder x265")
    }
  }

  private func checkLive() throws(UsageError) {
    let options = batch.options
    guard let live = options.live, live != .drop else { return }
    guard options.strip == .nothing else {
      throw UsageError(
        "--live \(live.rawValue) copies videos with their coordinates, which contradicts --strip; "
          + "use --live drop")
    }
    guard options.job == .primary || options.job == .all && live == .keep else {
      throw UsageError(
        "--live \(live.rawValue) cannot be combined with "
          + (options.job == .all ? "--images all" : options.job.frame == nil ? "--item" : "--frame")
      )
    }
    switch live {
    case .motionPhoto:
      guard options.format == .jpeg else {
        throw UsageError(
          "a motion photo is a JPEG, but the output is \(options.format.rawValue);"
            + " use --live keep or drop")
      }
    case .keep:
      if case .pipe(let path) = batch.target.place {
        throw UsageError(
          "\(path) holds one picture and no video; use --live motion-photo or drop")
      }
    case .drop: break
    }
  }
}
