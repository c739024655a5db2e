// SPDX-License-Identifier: MIT

/// Whether text has colours.
enum ColorChoice: String, CaseIterable {
  case auto, always, never
}
