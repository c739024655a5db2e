// SPDX-License-Identifier: MIT

public import Files

/// What a batch is asked to do: which files it reads, what is made of each, and where that goes.
public struct BatchSettings: Sendable {
  public var options: ConvertOptions
  /// The files, in the order in which they have their turn.
  public var inputs: InputList
  /// Which files of a folder are taken.
  public var kinds = PhotoKinds.heif
  /// The destination of the outputs.
  public var target: BatchTarget
  /// What becomes of an output that is there already.
  public var onExists = OnExists.skip
  /// Which time the files of outputs get.
  public var time = OutputTime.keep
  /// Whether a small PNG says of which file it is.
  public var describesSource = false
  /// Which photos are removed once they are converted; `nil` for none.
  public var removal: RemovalChoice?
  /// How many threads decode and encode.
  public var workers = 1
  /// What decides about each file; `nil` where all are photos that are converted.
  public var planner: (any FilePlanner)?
  /// The file that notes what is finished, so that a batch that was cut short goes on where it was.
  public var journal: String?
  /// Files that say what to do, and are as little an output as the photos are.
  public var documents: [String] = []
  /// Writes down what the samples of a depth map stand for; without it that is not written.
  public var depthDocument: (@Sendable (DepthNumbers) -> [UInt8])?

  /// - Parameters:
  ///   - place: where the outputs go.
  ///   - name: how outputs are called that the place does not name.
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

  /// What tells this batch from one whose outputs are others, for its journal.
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

  /// The same, with the options that a removal cannot do without: a photo is removed only when its outputs were read
  /// again, and when it is known what they lack.
  var safe: BatchSettings {
    guard removal != nil else { return self }
    var settings = self
    settings.options.verifies = true
    settings.options.weighsRemoval = true
    return settings
  }

  /// What the name of an output may hold beside that of its photo.
  ///
  /// - Parameter number: the place of the photo in the batch, from 1.
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

  /// The time at which a photo was taken and its camera; `nil` where it cannot be opened, or only once.
  func origin(of name: InputName) -> PhotoOrigin? {
    guard FileIdentity(name.path)?.isRegular == true,
      let source = try? name.opened(options.boxLimits)
    else { return nil }
    return PhotoOrigin(source, options: options)
  }

  /// Whether a file that was found in a folder is one that the batch reads. A picture that it takes for no photo may be
  /// the output of a batch before; a movie may be the video of a photo.
  func reads(_ path: String) -> Bool {
    kinds.contains(path) || options.live != nil && OutputFormat(extensionOf: path) == nil
  }

  /// The files that are no outputs because the batch reads them, as far as outputs of their names would not be passed over
  /// in any case; `nil` for none.
  var inputFiles: InputFiles? {
    let isNamed = if case .file = target.place { true } else { false }
    let replaces = onExists == .replace
    guard isNamed || replaces else { return nil }
    let files = InputNames.files(inputs, all: replaces, except: target.folder, where: reads)
    for path in documents { files.add(path) }
    return files
  }

  /// How many files there are; `nil` where a list can be read only once.
  public func count() -> Int? {
    InputNames.count(inputs, except: target.folder, where: kinds.contains)
  }
}
