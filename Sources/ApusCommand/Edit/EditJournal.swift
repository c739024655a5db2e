// SPDX-License-Identifier: MIT

import ApusFiles
import ApusMedia
import ApusStills

/// The journal of a run that changes files. A change such as a shift of the time must not be made twice, so a file that has
/// changed since an earlier run began or finished it is left alone.
struct EditJournal {
  private let journal: Journal

  /// Opens or creates a journal.
  ///
  /// - Parameter purpose: the changes and the place of the outputs.
  init(_ path: String, purpose: String) throws(FileError) {
    journal = try Journal(path, purpose: purpose)
  }

  /// Returns whether a file is finished; throws if an earlier run has changed it, or may have.
  func isFinished(_ file: String, isChanged: Bool) throws -> Bool {
    guard let identity = FileIdentity(file) else { return false }
    let file = Self.path(of: file)
    if journal.holds(file, identity) { return true }
    guard isChanged, journal.isOutdated(file, identity) else { return false }
    throw MediaError(
      .unsupported, of: .input,
      "has changed since an earlier run began or finished it, so it may be changed already; compare it, and change it "
        + "without --journal if it is not")
  }

  /// Records that a file is about to be changed or written.
  func begin(_ file: String, isChanged: Bool) throws(FileError) {
    guard let identity = FileIdentity(file) else { return }
    try journal.begin(Self.path(of: file), identity, isChanged: isChanged)
  }

  /// Records what has become of a file.
  func finish(_ file: String, _ report: EditReport) throws(FileError) {
    try journal.append(
      report.status, Self.path(of: file), FileIdentity(file),
      outputs: report.output.map { [$0] } ?? [])
  }

  /// Records that the change of an interrupted run has been finished.
  func finishInterrupted(_ file: String) throws(FileError) {
    let path = Self.path(of: file)
    guard let identity = FileIdentity(file), journal.isOutdated(path, identity) else { return }
    try journal.append(EditReport.Status.changed, path, identity)
  }

  /// Returns the path of a file whatever it is named by, so that no name leads to a second change.
  private static func path(of file: String) -> String {
    FileSystem.realPath(file) ?? FileSystem.absolutePath(file)
  }

  /// Waits until everything is on disk.
  func sync() throws(FileError) { try journal.sync() }
}

extension Edit {
  /// The changes and the place of the outputs, as a journal keeps them.
  var purpose: String {
    let texts: [(String, [String])] = [
      ("strip", strip.map(\.argument)), ("set", sets.map(\.argument)),
      ("remove", removals.map(\.argument)),
      ("primary", [primary].compactMap { $0.map(String.init) }),
      ("crop", [crop].compactMap { $0?.argument }),
      ("gain-map", [gainMap].compactMap { $0?.argument }),
      ("add-thumbnail", [addThumbnail].compactMap { $0?.argument }),
      ("rotate", [rotate].compactMap { $0?.argument }),
      ("flip", [flip].compactMap { $0?.argument }),
      ("lossless", lossless ? [""] : []), ("copy-from", [copyFrom].compactMap(\.self)),
      ("exif", [exif].compactMap(\.self)),
      ("xmp", [xmp].compactMap(\.self)), ("gpx", [gpx].compactMap(\.self)),
      ("sidecars", sidecars ? [""] : []), ("replace", replacements.map(\.argument)),
      ("replace-body", bodies.map(\.argument)), ("insert", insertions.map(\.argument)),
      ("insert-before", insertionsBefore.map(\.argument)),
      ("insert-after", insertionsAfter.map(\.argument)),
    ]
    let changes = texts.flatMap { name, values in
      values.map { "--\(name)" + ($0.isEmpty ? "" : " \($0)") }
    }
    let place = output.output.path.map { "to \($0)" } ?? "in place"
    return "files with \((changes + [place]).joined(separator: " "))"
  }
}
