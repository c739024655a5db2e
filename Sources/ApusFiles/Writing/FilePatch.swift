// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import Glibc

/// A change of some bytes of a file in place, which is complete or can be finished later.
///
/// A change that a single call can write needs nothing else. Any other change is first written to a log next to the
/// file (`.NAME.apus-patch`), which is removed once the change is on disk. If writing fails, the old bytes are
/// restored; if the process is killed or the machine stops, `finish` completes the change.
public struct FilePatch {
  private let path: String
  private let descriptor: Int32

  /// Opens a file for changes, and locks it against other processes.
  private init(_ path: String) throws(FileError) {
    self.path = path
    descriptor = FileSystem.open(path, O_RDWR)
    guard descriptor >= 0 else { throw FileError("write", path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      close(descriptor)
      throw FileError("write", path, reason: "another process is changing it")
    }
  }

  /// Overwrites bytes of a file in place, and waits until they are on disk.
  ///
  /// - Parameter pieces: the changes, each within the file's size at the time it was opened.
  public static func apply(_ pieces: [(offset: Int, bytes: [UInt8])], to source: FileSource)
    throws(FileError)
  {
    let patch = try FilePatch(source.path)
    defer { close(patch.descriptor) }
    guard patch.isOpen(source) else {
      throw FileError("write", source.path, reason: "it changed while it was read")
    }
    let log: PatchLog
    let bytes: [UInt8]
    do throws(SyntaxError) {
      log = try PatchLog(pieces, of: source)
      bytes = log.isAtomic ? [] : try log.bytes()
    } catch {
      throw FileError("read", source.path, reason: error.message)
    }
    if !log.isAtomic { try patch.keep(bytes) }
    do throws(FileError) {
      try patch.write(log.pieces.map { ($0.range.lowerBound, $0.new) })
    } catch {
      try patch.undo(log, after: error)
    }
    if !log.isAtomic { removeFile(logPath(for: source.path)) }
  }

  /// Finishes an interrupted change; returns `false` if there is none for the file.
  public static func finish(_ path: String) throws(FileError) -> Bool {
    let logPath = logPath(for: path)
    guard FileSystem.status(logPath, followsLinks: false) != nil else { return false }
    let log = FileSystem.openTrusted(logPath, O_RDONLY)
    guard log >= 0 else { throw untrusted(logPath) }
    defer { close(log) }
    let patch = try FilePatch(path)
    defer { close(patch.descriptor) }
    let kept = try FileSource(duplicating: log, name: logPath)
    // A log with other bytes belongs to a file that was replaced by this one; an incomplete log, to a file that was not
    // changed.
    let fitting = try patch.fittingLog(kept, of: FileSource(path))
    if let fitting { try patch.write(fitting.pieces.map { ($0.range.lowerBound, $0.new) }) }
    removeFile(logPath)
    return fitting != nil
  }

  private static func untrusted(_ logPath: String) -> FileError {
    guard errno == EPERM || errno == ELOOP else { return FileError("read", logPath) }
    return FileError(
      "use", logPath,
      reason: "another user can have written it; remove it unless you know where it comes from")
  }

  private func fittingLog(_ kept: FileSource, of source: FileSource) throws(FileError) -> PatchLog?
  {
    do throws(SyntaxError) {
      guard let log = PatchLog(reading: try kept.bytes(in: 0..<kept.count)), try log.fits(source)
      else { return nil }
      return log
    } catch {
      throw FileError("read", path, reason: error.message)
    }
  }

  private func isOpen(_ source: FileSource) -> Bool {
    var (mine, theirs) = (stat(), stat())
    return unsafe fstat(source.descriptor, &mine) == 0 && fstat(descriptor, &theirs) == 0
      && mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino
      && Int(theirs.st_size) == source.count
  }

  /// Writes the log, and waits until it is on disk under its name.
  private func keep(_ bytes: [UInt8]) throws(FileError) {
    let logPath = Self.logPath(for: path)
    // While this process holds the lock on the file, other processes do not need the log.
    removeFile(logPath)
    let log = FileSystem.open(logPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    guard log >= 0 else { throw FileError("write", logPath) }
    defer { close(log) }
    do throws(FileError) {
      let writer = DescriptorWriter(log, name: logPath)
      try writer.write(bytes.span)
      try writer.flush()
      guard fsync(log) == 0 else { throw FileError("write", logPath) }
      try syncFolder(of: logPath)
    } catch {
      removeFile(logPath)
      throw error
    }
  }

  private func write(_ pieces: [(offset: Int, bytes: [UInt8])]) throws(FileError) {
    let writer = DescriptorWriter(descriptor, name: path)
    for piece in pieces { try writer.amend(piece.bytes.span, at: piece.offset) }
    guard fsync(descriptor) == 0 else { throw FileError("write", path) }
  }

  /// Restores the old bytes after a call failed, and throws its error.
  private func undo(_ log: PatchLog, after failure: FileError) throws(FileError) -> Never {
    do throws(FileError) {
      try write(log.pieces.map { ($0.range.lowerBound, $0.old) })
    } catch {
      guard !log.isAtomic else { throw failure }
      throw FileError(
        "write", path,
        reason:
          "\(failure.reason); part of the change is written, and another run in place finishes it")
    }
    if !log.isAtomic { removeFile(Self.logPath(for: path)) }
    throw failure
  }

  private static func logPath(for path: String) -> String {
    let name = FileName.bytes(of: path.lastName)
    // Names are limited to 255 bytes.
    let short =
      name.count <= 240
      ? String(path.lastName)
      : SHA256.digest(of: name).prefix(16).hexadecimal()
    return "\(folder(of: path))/.\(short).apus-patch"
  }
}
