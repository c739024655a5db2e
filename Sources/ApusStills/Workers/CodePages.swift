// SPDX-License-Identifier: MIT

internal import ApusFFmpeg

/// The program's own pages in memory.
enum CodePages {
  private static let given: Void = CodeMemory.release()

  /// Returns the pages to the system that were needed to start and to read the first file. This is done before a large
  /// picture is decoded, when memory use is highest, and before a second photo. Pages that are needed again are read
  /// from the file, which takes longer than converting a small picture.
  static func giveBackOnce() { given }
}
