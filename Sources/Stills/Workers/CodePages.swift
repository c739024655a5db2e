// SPDX-License-Identifier: MIT

internal import FFmpeg

/// The pages of the program itself that are in memory.
enum CodePages {
  private static let given: Void = CodeMemory.release()

  /// Lets the program give back what was touched to start and to read the first file: before a large picture is
  /// decoded, which is when a program takes most, and when a second photo comes. What is needed again comes back from
  /// the file, which takes longer than to make a small picture.
  static func giveBackOnce() { given }
}
