// SPDX-License-Identifier: MIT

internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A library that is opened when a job first needs it, and then stays open.
///
/// `Table` is a structure of pointers to functions, one for each name and in the same order. It is whole or absent.
public final class DynamicLibrary<Table: Sendable>: Sendable {
  private let file: String
  private let names: [Substring]
  /// Cached on success only; a failure such as running out of memory may be temporary.
  private let opened = Mutex<Table?>(nil)

  /// - Parameters:
  ///   - file: the name with its version, such as `libssl.so.3`.
  ///   - names: the functions, with blanks between them. A question mark precedes one that some versions of the library
  ///     lack, whose pointer is optional in the table. Functions of the libraries that this one needs are found, too.
  public init(_ file: String, _ names: String) {
    self.file = file
    self.names = names.split(separator: " ")
  }

  /// Returns the functions.
  ///
  /// - Parameters:
  ///   - before: called before the library is opened, which happens once.
  ///   - after: called when it is open.
  public func table(before: () -> Void = {}, after: (Table) -> Void = { _ in })
    throws(LibraryError) -> Table
  {
    try opened.withLock { opened throws(LibraryError) in
      if let opened { return opened }
      before()
      let made = try find()
      after(made)
      opened = made
      return made
    }
  }

  private func find() throws(LibraryError) -> Table {
    guard let library = unsafe dlopen(file, RTLD_NOW | RTLD_LOCAL) else {
      throw LibraryError(missing: file)
    }
    let size = MemoryLayout<Int>.size
    precondition(MemoryLayout<Table>.size == names.count * size)
    let table = UnsafeMutablePointer<Table>.allocate(capacity: 1)
    defer { unsafe table.deallocate() }
    for (index, name) in names.enumerated() {
      let isNeeded = name.first != "?"
      let function = unsafe dlsym(library, String(isNeeded ? name : name.dropFirst()))
      guard unsafe function != nil || !isNeeded else {
        throw LibraryError(missing: "\(name) of \(file)")
      }
      unsafe UnsafeMutableRawPointer(table).storeBytes(
        of: function, toByteOffset: index * size, as: UnsafeMutableRawPointer?.self)
    }
    return unsafe table.move()
  }
}

/// A library, or a function of it, that is not on this machine.
public struct LibraryError: Error, Sendable {
  /// The name of the file, after that of the function if that is missing.
  public let missing: String
  /// The words of the dynamic linker.
  public let reason: String

  fileprivate init(missing: String) {
    self.missing = missing
    reason = unsafe dlerror().map { unsafe String(cString: $0) } ?? missing
  }
}
