// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusFiles
public import ApusMedia

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension MediaError: LocalizedError {
  public var errorDescription: String? { description }
}

extension FileError: LocalizedError {
  public var errorDescription: String? { description }
}

extension SyntaxError: LocalizedError {
  public var errorDescription: String? { description }
}
