// SPDX-License-Identifier: MIT

/// Whose certificates a client believes.
public enum TLSTrust: Hashable, Sendable {
  /// The certificates of the system's authorities.
  case system
  /// The certificates that this PEM file vouches for, and no other.
  case file(String)
  /// Any: everyone on the way can read and change everything.
  case none
}
