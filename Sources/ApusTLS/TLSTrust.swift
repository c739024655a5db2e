// SPDX-License-Identifier: MIT

/// The certificates that a client trusts.
public enum TLSTrust: Hashable, Sendable {
  /// The certificates of the system's authorities.
  case system
  /// The certificates that are signed by those in this PEM file, and no others.
  case file(String)
  /// All certificates: anyone on the network path can read and change everything.
  case none
}
