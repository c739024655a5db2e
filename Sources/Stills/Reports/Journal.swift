// SPDX-License-Identifier: MIT

public import Files
internal import Glibc

/// What became of every photo of a run, a line each, so that a run that was cut short goes on where it was.
///
/// A line is `STATUS SIZE MTIME PATH`, separated by tabs, with tabs, line ends and backslashes of the path
/// escaped; it is appended in one write when its photo is finished, and survives the end of the process. The
/// disk is waited for now and then, for the names of the outputs first. A last line that was torn is cut off. The path
/// has the bytes that the file's name has, whether they are UTF-8 or not.
public final class Journal {
  /// How many photos earlier runs finished.
  public var finished: Int { done.count }

  private let path: String
  private let descriptor: Int32
  private var done: Set<UInt64> = []
  /// Photos that were started by runs that were cut short.
  private var begun: Set<UInt64> = []
  private static let begunMark = "begun"
  /// What the disk may not have yet: lines, and the folders of the outputs that they speak of.
  private var unsynced = 0
  private var folders: Set<String> = []
  private var syncedAt = clockSeconds()

  /// Lines and seconds after which the disk is waited for.
  private static let patience = (lines: 256, seconds: 2.0)
  /// Seconds after which another run is believed to be there. A process that a killed run was just starting has the lock
  /// for a moment longer.
  private static let longestWait = 1.0

  /// Opens a journal or begins one, and keeps other processes out of it as long as it is open.
  ///
  /// - Parameter purpose: what the run writes. A journal of another purpose is refused, for its photos have other
  ///   outputs.
  public convenience init(_ path: String, purpose: String) throws(FileError) {
    try self.init(path, purpose: purpose) { usleep(10_000) }
  }

  /// - Parameter pause: passes some time until the lock of another process is tried again.
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
    let end = clockSeconds() + longestWait
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, clockSeconds() < end else { return false }
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

  /// Whether a photo was converted, salvaged or skipped, and is the same file still.
  public func holds(_ input: String, _ file: FileIdentity) -> Bool {
    done.contains(
      hash(of: escaped(input), "\(file.size)", "\(file.times.modificationNanoseconds)"))
  }

  /// Whether a run before began with a photo, which is the same file still, and was cut short.
  public func isUnfinished(_ input: String, _ file: FileIdentity) -> Bool {
    begun.contains(
      hash(of: escaped(input), "\(file.size)", "\(file.times.modificationNanoseconds)"))
  }

  /// Notes that a run begins with a photo, so that an output which is there when the run was cut short can be told from
  /// one that another program has made.
  public func begin(_ input: String, _ file: FileIdentity) throws(FileError) {
    try append(
      "\(Self.begunMark)\t\(file.size)\t\(file.times.modificationNanoseconds)\t\(escaped(input))")
  }

  /// - Parameters:
  ///   - file: the photo as it was when its conversion started.
  ///   - outputs: the files that were made of it.
  public func append(
    _ status: PhotoReport.Status, _ input: String, _ file: FileIdentity?, outputs: [String] = []
  ) throws(FileError) {
    let size = file?.size ?? 0
    let time = file?.times.modificationNanoseconds ?? 0
    try append("\(status.rawValue)\t\(size)\t\(time)\t\(escaped(input))")
    unsynced += 1
    // The file's name does not matter, only the folder before it.
    for output in outputs {
      folders.insert(output.lastSlash == nil ? "./" : String(output.folderPrefix))
    }
    let isDue = clockSeconds() - syncedAt >= Self.patience.seconds
    if isDue || unsynced >= Self.patience.lines { try sync() }
  }

  /// Waits until the disk has the outputs' names and the lines that speak of them.
  public func sync() throws(FileError) {
    guard unsynced > 0 else { return }
    for folder in folders { try syncFolder(of: folder) }
    guard fdatasync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
      throw FileError("write", path)
    }
    unsynced = 0
    folders = []
    syncedAt = clockSeconds()
  }

  private func append(_ line: String) throws(FileError) {
    let writer = DescriptorWriter(descriptor, name: path)
    try writer.write(FileName.bytes(of: line + "\n").span)
    try writer.flush()
  }

  /// Reads every whole line and cuts off what follows the last. Returns the first.
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
        // What is no journal is not read any further.
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
    let entry = hash(of: String(parts[3]), String(parts[1]), String(parts[2]))
    if parts[0] == Self.begunMark { begun.insert(entry) }
    guard let status = PhotoReport.Status(rawValue: String(parts[0])) else { return }
    begun.remove(entry)
    if status == .failed { done.remove(entry) } else { done.insert(entry) }
  }
}

/// A text on one line without tabs.
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
