// SPDX-License-Identifier: MIT
// The name is that of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import ApusCommand
import CApus

/// Carries out the command `apus` with the arguments of the process, and ends the process.
@c @implementation
public func apus_command() { Command.main() }
