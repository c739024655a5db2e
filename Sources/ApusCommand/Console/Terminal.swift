// SPDX-License-Identifier: MIT

import Glibc

/// The properties of the terminal, which the environment may override.
enum Terminal {
  static var width: Int { width(of: STDOUT_FILENO) }

  static func width(of descriptor: Int32) -> Int {
    if let columns = environment("COLUMNS").flatMap({ Int($0) }), columns > 0 { return columns }
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return Int(size.ws_col)
  }

  static func environment(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}

extension ColorChoice {
  /// Returns whether colours are used. By the NO_COLOR convention, any value but the empty one turns `auto` off.
  func applies(to descriptor: Int32) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto:
      isatty(descriptor) == 1 && (Terminal.environment("NO_COLOR") ?? "").isEmpty
        && Terminal.environment("TERM") != "dumb"
    }
  }
}
