// SPDX-License-Identifier: MIT
// The name is that of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import ApusCommand
import CApus

@c @implementation
public func apus_command() { Command.main() }
