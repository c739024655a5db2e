// SPDX-License-Identifier: MIT

internal import ApusBytes
package import ApusFiles
internal import Glibc

/// A record of the result for every file of a run, one per line, from which an interrupted run can be resumed.
///
/// A line is `STATUS SIZE MTIME PATH`, separated by tabs, with tabs, line ends and backslashes in the path escaped; it
/// is appended in one write when its file is finished, so that it survives the end of the process. From time to time
/// the journal is synchronized with the disk, after the names of the outputs. An incomplete last line is cut off. The
/// path contains the bytes of the file's name, whether or not they are UTF-8.
package final class Journal {
  /// The number of photos that earlier runs finished.
  package var finished: Int { states.values.count { $0.stage == .finished } }

  private let path: String
  private let descriptor: Int32
  /// The stage that earlier runs left each file at, and the file as it was then, by its path.
  private var states: [UInt64: (stage: Stage, entry: UInt64)] = [:]
  private enum Stage { case begun, failed, finished }
  private static let begunMark = "begun"
  /// The number of lines that may not be on disk yet.
  private var unsynced = 0
  private var folders: Set<String> = []
  private var syncedAt = SuspendingClock.now

  /// The number of lines and seconds after which the journal is synchronized.
  private static let patience = (lines: 256, time: Duration.seconds(2))
  /// The seconds to wait for the lock before assuming that another run has it. A process that a killed run was just
  /// starting keeps the lock for a moment longer.
  private static let longestWait = Duration.seconds(1)

  /// Opens or creates a journal, and locks it against other processes while it is open.
  ///
  /// - Parameter purpose: a text that describes the outputs of the run. A journal with another purpose is refused,
  ///   because its photos have other outputs.
  package convenience init(_ path: String, purpose: String) throws(FileError) {
    try self.init(path, purpose: purpose) { usleep(10_000) }
  }

  /// - Parameter pause: waits before the lock is tried again.
  init(_ path: String, purpose: String, pause: () -> Void) throws(FileError) {
    self.path = path
    descriptor = FileSystem.openOwn(path, O_RDWR | O_CREAT | O_APPEND)
    guard descriptor >= 0 else {
      guard errno == EPERM else { throw FileError("open", path) }
      throw FileError("use", path, reason: "it is not a plain file of this user")
    }
    guard Self.locks(descriptor, pause) else {
      throw errno == EWOULDBLOCK
        ? FileError("use", path, reason: "another run is using this journal")
        : FileError("lock", path)
    }
    let header = "apus-journal 1\t\(escaped(purpose))"
    guard let first = try load(header) else {
      try append(header)
      return
    }
    guard first == header else {
      throw FileError(
        "use", path,
        reason: first.hasPrefix("apus-journal 1\t")
          ? "it belongs to a run that wrote \(first.dropFirst(15)), but this one writes \(escaped(purpose))"
          : "it is not a journal")
    }
  }

  private static func locks(_ descriptor: Int32, _ pause: () -> Void) -> Bool {
    let end = SuspendingClock.now + longestWait
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, SuspendingClock.now < end else { return false }
      pause()
    }
    return true
  }

  deinit {
    guard descriptor >= 0 else { return }
    // A process that is just being started may share the open file, and with it the lock.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Returns whether a file is finished and unchanged since.
  package func holds(_ input: String, _ file: FileIdentity) -> Bool {
    states[hash(of: escaped(input))].map { $0 == (.finished, entry(input, file)) } ?? false
  }

  /// Returns whether an earlier run began a file and was interrupted, and the file is unchanged.
  package func isUnfinished(_ input: String, _ file: FileIdentity) -> Bool {
    states[hash(of: escaped(input))].map { $0 == (.begun, entry(input, file)) } ?? false
  }

  /// Returns whether a file has changed since an earlier run began or finished it.
  package func isOutdated(_ input: String, _ file: FileIdentity) -> Bool {
    guard let state = states[hash(of: escaped(input))], state.stage != .failed else { return false }
    return state.entry != entry(input, file)
  }

  private func entry(_ input: String, _ file: FileIdentity) -> UInt64 {
    hash(of: escaped(input), "\(file.size)", "\(file.times.modificationNanoseconds)")
  }

  /// Records that a run begins a file, so that after an interruption its outputs can be distinguished from files of
  /// other programs, and files that may have changed from those that have not.
  ///
  /// - Parameter isChanged: whether the file itself will be changed; the record is on disk before that.
  package func begin(_ input: String, _ file: FileIdentity, isChanged: Bool = false)
    throws(FileError)
  {
    try append(
      "\(Self.begunMark)\t\(file.size)\t\(file.times.modificationNanoseconds)\t\(escaped(input))")
    guard isChanged else { return }
    unsynced += 1
    try sync()
  }

  /// Records the result for a file.
  ///
  /// - Parameters:
  ///   - status: the result; a file whose status is `failed` is tried again.
  ///   - file: the file as it was when work on it started, or as it has become if it is the output itself.
  ///   - outputs: the files that were made from it.
  package func append(
    _ status: some RawRepresentable<String>, _ input: String, _ file: FileIdentity?,
    outputs: [String] = []
  ) throws(FileError) {
    let size = file?.size ?? 0
    let time = file?.times.modificationNanoseconds ?? 0
    let line = "\(status.rawValue)\t\(size)\t\(time)\t\(escaped(input))"
    try append(line)
    // Files of this run alone are not asked about again.
    if states[hash(of: escaped(input))] != nil { read(line) }
    unsynced += 1
    // Only the folder of the file matters, not its name.
    for output in outputs {
      folders.insert(output.lastSlash == nil ? "./" : String(output.folderPrefix))
    }
    let isDue = SuspendingClock.now - syncedAt >= Self.patience.time
    if isDue || unsynced >= Self.patience.lines { try sync() }
  }

  /// Waits until the names of the outputs and the lines about them are on disk.
  package func sync() throws(FileError) {
    guard unsynced > 0 else { return }
    for folder in folders { try syncFolder(of: folder) }
    guard fdatasync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
      throw FileError("write", path)
    }
    unsynced = 0
    folders = []
    syncedAt = SuspendingClock.now
  }

  private func append(_ line: String) throws(FileError) {
    let writer = DescriptorWriter(descriptor, name: path)
    try writer.write(FileName.bytes(of: line + "\n").span)
    try writer.flush()
  }

  /// Reads all complete lines and cuts off the rest. Returns the first line.
  private func load(_ header: String) throws(FileError) -> String? {
    var first: String?
    var line: [UInt8] = []
    var place = 0
    var end = 0
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe piece.withUnsafeMutableBytes { buffer in
        unsafe pread(descriptor, buffer.baseAddress, buffer.count, place)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileError("read", path) }
      if count == 0 { break }
      for byte in piece[..<count] {
        place += 1
        guard byte == 0x0a else {
          line.append(byte)
          continue
        }
        let text = FileName.text(of: line)
        if first == nil { first = text } else { read(text) }
        // A file that is not a journal is not read any further.
        if first != header { return first }
        line.removeAll(keepingCapacity: true)
        end = place
      }
      if first == nil, line.count > 1 << 16 { return "" }
    }
    if first == nil, !line.isEmpty, !header.utf8.starts(with: line) { return "" }
    if end < place {
      guard ftruncate(descriptor, end) == 0 else { throw FileError("write", path) }
    }
    return first
  }

  private func read(_ line: String) {
    let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return }
    let path = hash(of: String(parts[3]))
    let entry = hash(of: String(parts[3]), String(parts[1]), String(parts[2]))
    switch parts[0] {
    case Self.begunMark: states[path] = (.begun, entry)
    case PhotoReport.Status.failed.rawValue[...]: states[path] = (.failed, entry)
    default: states[path] = (.finished, entry)
    }
  }
}

/// Returns a text on one line without tabs.
private func escaped(_ text: String) -> String {
  text.unicodeScalars.reduce(into: "") { result, scalar in
    switch scalar {
    case "\\": result += "\\\\"
    case "\t": result += "\\t"
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    default: result.unicodeScalars.append(scalar)
    }
  }
}
