// SPDX-License-Identifier: MIT

public import ApusBytes

/// An input at an address, to which the names that it contains are relative.
public protocol LocatedSource: ByteSource {
  var location: String { get }
}
