// SPDX-License-Identifier: MIT

public import ApusFiles

/// The settings of a batch: the files it reads, the conversion of each, and the destination.
public struct BatchSettings: Sendable {
  /// The options of the conversion; if sources are removed, the outputs are also verified.
  public var options: ConvertOptions
  /// The files, in processing order.
  public var inputs: InputList
  /// The kinds of files that are read from folders.
  public var kinds = PhotoKinds.heif
  /// The destination of the outputs.
  public var target: BatchTarget
  /// The action to take if an output exists already.
  public var onExists = OnExists.skip
  /// The modification time given to output files.
  public var time = OutputTime.keep
  /// Whether a thumbnail in PNG names its source file, size and time in text chunks.
  public var describesSource = false
  /// The photos to remove once they are converted; `nil` for none.
  public var removal: RemovalChoice?
  /// The number of threads that decode and encode.
  public var workers = 1
  /// Decides about each file; `nil` if all files are photos to be converted.
  public var planner: (any FilePlanner)?
  /// The file that records finished photos, so that an interrupted batch can be resumed.
  public var journal: String?
  /// Files that contain instructions, such as lists; they are never overwritten, just like the photos.
  public var documents: [String] = []
  /// Returns a document that describes the meaning of a depth map's samples; if `nil`, no such document is written.
  public var depthDocument: (@Sendable (DepthNumbers) -> [UInt8])?

  /// - Parameters:
  ///   - place: where the outputs go.
  ///   - name: the template for the names of outputs that the place does not name.
  public init(
    _ options: ConvertOptions, inputs: InputList, to place: BatchTarget.Place,
    name: OutputName = .usual
  ) {
    self.options = options
    self.inputs = inputs
    target = BatchTarget(
      place: place, name: name, pathExtension: options.format.pathExtension)
    documents = inputs.lists
  }

  /// A text that distinguishes this batch in its journal from batches with other outputs.
  var purpose: String {
    let folder =
      switch target.place {
      case .beside: "beside the photos"
      case .folder(let path), .file(let path), .pipe(let path): "to \(path)"
      }
    if let planner { return "\(planner.purpose) \(folder)" }
    let videos = options.live.map { $0 == .drop ? "" : " live \($0.rawValue)" } ?? ""
    let choices = options.choices.map { " \($0)" }.joined()
    return "\(options.format.rawValue)\(videos)\(choices) \(folder)"
  }

  /// The same settings with the options that a removal needs: a photo is removed only after its outputs have been read
  /// back, and only if their losses are known.
  var safe: BatchSettings {
    guard removal != nil else { return self }
    var settings = self
    settings.options.verifies = true
    settings.options.weighsRemoval = true
    return settings
  }

  /// Returns the values of the placeholders that may appear in an output's name.
  ///
  /// - Parameter number: the position of the photo in the batch, from 1.
  func fields(of name: InputName, number: Int) -> NameFields {
    var fields = NameFields()
    guard target.name.needsFields, target.isTemplate else { return fields }
    fields.number = number
    guard target.name.needsOrigin, let file = FileIdentity(name.path), file.isRegular else {
      return fields
    }
    let origin = origin(of: name)
    fields.date = origin?.taken ?? CalendarTime(file.times)
    fields.camera = origin?.camera
    return fields
  }

  /// Returns the time and camera of a photo; `nil` if it cannot be opened or can be read only once.
  func origin(of name: InputName) -> PhotoOrigin? {
    guard FileIdentity(name.path)?.isRegular == true,
      let source = try? name.opened(options.boxLimits)
    else { return nil }
    return PhotoOrigin(source, options: options)
  }

  /// Returns whether the batch reads a file that was found in a folder. Pictures of other kinds may be outputs of an
  /// earlier batch; a movie may be the video of a photo.
  func reads(_ path: String) -> Bool {
    kinds.contains(path) || options.live != nil && OutputFormat(extensionOf: path) == nil
  }

  /// Input files that must not be overwritten, as far as the settings would allow outputs with their names; `nil` for
  /// none.
  var inputFiles: InputFiles? {
    let isNamed = if case .file = target.place { true } else { false }
    let replaces = onExists == .replace
    guard isNamed || replaces else { return nil }
    let files = InputNames.files(inputs, all: replaces, except: target.folder, where: reads)
    for path in documents { files.add(path) }
    return files
  }

  /// Returns the number of files; `nil` if a list can be read only once.
  public func count() -> Int? {
    InputNames.count(inputs, except: target.folder, where: kinds.contains)
  }
}
