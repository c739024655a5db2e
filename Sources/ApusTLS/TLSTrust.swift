// SPDX-License-Identifier: MIT

/// Whose certificates a client believes.
public enum TLSTrust: Hashable, Sendable {
  /// Those of the system's authorities.
  case system
  /// Those that this PEM file's certificates vouch for, and no other.
  case file(String)
  /// Any: everyone on the way can read and change everything.
  case none
}
