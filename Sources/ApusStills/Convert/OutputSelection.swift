// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusJPEG
internal import ApusMedia
internal import HEIF

/// Selects the outputs of a photo according to the options.
struct OutputSelection {
  let contents: PhotoContents
  let options: ConvertOptions
  let request: PhotoRequest

  /// Returns the outputs in the order in which they are written.
  func outputs() throws -> [PendingOutput] {
    guard !request.longestSides.isEmpty else { return try wholeOutputs() }
    return try wholeOutputs().filter { $0.role == .primary }.flatMap(sizes(of:))
  }

  /// Returns the same picture in every requested size.
  private func sizes(of output: PendingOutput) -> [PendingOutput] {
    guard case .picture(var picture) = output.content else { return [output] }
    picture.sizes = PictureSizes(request.longestSides)
    return request.longestSides.map { side in
      picture.options.longestSide = side
      var output = output
      output.role = .part("\(side)", extension: options.format.pathExtension)
      output.content = .picture(picture)
      return output
    }
  }

  private func wholeOutputs() throws -> [PendingOutput] {
    switch (options.job, contents) {
    case (.parts(let choice), _): return try parts(choice)
    case (.thumbnail(let policy), _): return [try thumbnail(policy)]
    case (.frame(let frame), .heif(let file)): return [output(.primary, try file.frame(frame))]
    case (.item(let id), .heif(let file)): return [try item(id, of: file)]
    case (.item, _): throw MediaError(.unsupported, of: .input, "has no items")
    case (.everyItem, .heif(let file)):
      return file.everyPicture.enumerated().map { output(.other($0.offset + 1), $0.element) }
    case (.all, .heif(let file)):
      return file.pictures.enumerated().map { index, picture in
        output(index == 0 ? .primary : .other(index + 1), picture)
      }
    case (.primary, _), (.frame, _), (.everyItem, _), (.all, _):
      return [output(.primary, try contents.primaryPicture())]
    }
  }

  private func item(_ id: UInt32, of file: PhotoFile) throws -> PendingOutput {
    if let picture = file.everyPicture.first(where: { $0.place == .item(id) }) {
      return output(.primary, picture)
    }
    guard case .picture(let picture, let source) = try ItemParts.part(id, of: file).content else {
      throw MediaError(.unsupported, of: .input, "item \(id) is not a picture")
    }
    let pending = PendingPicture(picture: picture, source: source, options: options)
    return PendingOutput(.primary, .picture(pending))
  }

  private func output(_ role: PictureRole, _ picture: PhotoPicture) -> PendingOutput {
    let pending = PendingPicture(picture: picture, source: contents.source, options: options)
    return PendingOutput(role, .picture(pending))
  }

  /// The reason why there is nothing to write.
  var emptiness: String {
    let roles = options.job.parts?.roles.map(\.rawValue).sorted() ?? []
    return roles.isEmpty || roles.count == PartRole.allCases.count
      ? "holds nothing but its picture" : "holds no \(roles.joined(separator: ", no "))"
  }

  private func thumbnail(_ policy: ThumbnailPolicy) throws -> PendingOutput {
    let result = try ThumbnailSearch(policy: policy, options: options)
      .result(for: try contents.primaryPicture(), in: contents.source)
    var options = options
    options.strip = .all
    if case .jpeg(let photo) = contents, options.chroma == .auto, photo.header.chroma == .yuv420 {
      options.chroma = .yuv420
    }
    var pending = PendingPicture(picture: result.picture, source: result.source, options: options)
    pending.texts = request.texts
    var output = PendingOutput(.primary, .picture(pending))
    output.isEmbedded = result.isEmbedded
    return output
  }
}

// MARK: - Parts

extension OutputSelection {
  /// Returns the reason why a part would not be extracted; `nil` if none is known before decoding.
  func refusal(of part: PhotoPart) -> MediaError? {
    do {
      for output in try outputs(of: part, PartChoice()) {
        guard case .picture(let pending) = output.content else { continue }
        var decision = try PictureDecision(pending, workers: 1)
        _ = try decision.warningsBefore()
      }
      return nil
    } catch {
      return MediaError(error)
    }
  }

  private func parts(_ choice: PartChoice) throws -> [PendingOutput] {
    var outputs: [PendingOutput] = []
    if !choice.roles.isEmpty {
      for part in try contents.parts() where choice.roles.contains(part.role) {
        outputs += try self.outputs(of: part, choice)
      }
    }
    if case .heif(let file) = contents {
      for id in choice.items {
        let part = try ItemParts.part(id, of: file)
        outputs += try self.outputs(of: part, choice)
      }
      if choice.takesFrames { outputs += try frames(of: file) }
    } else if !choice.items.isEmpty || choice.takesFrames {
      throw MediaError(.unsupported, of: .input, "is a JPEG, which has no items or frames")
    }
    let count = outputs.count { !$0.isDocument }
    guard count < 2 || !request.takesOne else {
      throw MediaError(
        .misuse, of: .input,
        "holds \(count) of the requested parts, but the output can hold only one",
        remedy: .item)
    }
    return outputs
  }

  private func outputs(of part: PhotoPart, _ choice: PartChoice) throws -> [PendingOutput] {
    if choice.isRaw, let id = part.item, case .heif(let file) = contents {
      return try raw(id, part, file, isOnly: choice.items.contains(id))
    }
    switch part.content {
    case .bytes(let extents, let ending):
      guard extents.contains(where: { !$0.isEmpty }) else {
        throw MediaError(
          .incomplete, "the \(part.role.rawValue) (\(part.type)) has no readable bytes")
      }
      if let gap = part.gap {
        throw MediaError(.incomplete, "the \(part.role.rawValue) is truncated: \(gap)")
      }
      guard let numbers = part.numbers else {
        return [PendingOutput(.part(part.name, extension: ending), .bytes(extents))]
      }
      return try outputs(of: part, extents, ending, numbers, choice)
    case .picture(let picture, let source):
      return try outputs(of: part, picture, source, choice)
    }
  }

  /// Returns the output for a depth map that is a PNG already.
  private func outputs(
    of part: PhotoPart, _ extents: [Extent], _ ending: String, _ numbers: DepthNumbers,
    _ choice: PartChoice
  ) throws -> [PendingOutput] {
    if let form = choice.depthForm, form != numbers.form {
      throw MediaError(
        .unsupported, of: .input,
        "has a depth map in PNG, which is copied unchanged; it holds \(numbers.form.rawValue), not "
          + form.rawValue)
    }
    var outputs = [PendingOutput(.part(part.name, extension: ending), .bytes(extents))]
    if let document = request.depthDocument {
      outputs.append(
        PendingOutput(
          .part(part.name, extension: "json"), .bytes([Extent(document(numbers))]),
          isDocument: true))
    }
    return outputs
  }

  private func outputs(
    of part: PhotoPart, _ picture: PhotoPicture, _ source: any PictureSource, _ choice: PartChoice
  ) throws -> [PendingOutput] {
    var options = options
    var plane: PlaneTable?
    var documents: [PendingOutput] = []
    switch part.role {
    case .alpha, .depth, .matte:
      options.strip = .all
      guard !choice.showsNumbers else { break }
      let plan = try source.plan(picture)
      let depth = plan.canvasDepth
      let isFullRange = plan.colour.description.isFullRange
      if part.role == .depth {
        var numbers = try self.numbers(picture, source)
        plane = try numbers.table(
          bitDepth: depth, isFullRange: isFullRange, as: choice.depthForm)
        (numbers.width, numbers.height) = (plan.width, plan.height)
        if let document = request.depthDocument {
          documents.append(
            PendingOutput(
              .part(part.name, extension: "json"), .bytes([Extent(document(numbers))]),
              isDocument: true))
        }
      } else {
        plane = PlaneTable(bitDepth: depth, isFullRange: isFullRange)
      }
      options.format = .png
    case .picture: break
    default: options.strip = .all
    }
    var pending = PendingPicture(picture: picture, source: source, options: options)
    pending.plane = plane
    return [
      PendingOutput(
        .part(part.name, extension: options.format.pathExtension), .picture(pending))
    ] + documents
  }

  private func numbers(_ picture: PhotoPicture, _ source: any PictureSource) throws
    -> DepthNumbers
  {
    var file: PhotoFile?
    if case .heif(let own) = contents { file = own }
    return try DepthNumbers.of(picture, source, file)
  }

  /// - Parameter isOnly: whether the item was requested by its ID, so that it is an error if it is not coded.
  private func raw(_ id: UInt32, _ part: PhotoPart, _ file: PhotoFile, isOnly: Bool)
    throws -> [PendingOutput]
  {
    if file.graph.item(id)?.targets("dimg").isEmpty == false, !isOnly { return [] }
    // Exif includes the offset of its header, as in the item.
    let item = try RawItem(id, of: file)
    let ending = if case .bytes(_, let ending) = part.content { ending } else { item.pathExtension }
    var outputs = [PendingOutput(.part(part.name, extension: ending), .bytes(item.data))]
    if !item.record.isEmpty {
      outputs.append(
        PendingOutput(
          .part(part.name, extension: "hvcc"), .bytes([Extent(item.record)]), isDocument: true))
    }
    return outputs
  }

  /// Returns an output for each frame, numbered from 1 with as many digits as the last number has.
  private func frames(of file: PhotoFile) throws -> [PendingOutput] {
    let frames = try file.allFrames()
    guard !frames.isEmpty else {
      throw MediaError(
        .unsupported, of: .input, "has no picture track to extract frames from")
    }
    let digits = max(String(frames.count).count, 3)
    return frames.enumerated().map { index, picture in
      let number = String(index + 1)
      let name = "frame-" + String(repeating: "0", count: digits - number.count) + number
      return output(.part(name, extension: options.format.pathExtension), picture)
    }
  }
}

extension PicturePlan {
  /// The bit depth of its canvas.
  fileprivate var canvasDepth: Int { canvasFormat.bitDepth }
}
