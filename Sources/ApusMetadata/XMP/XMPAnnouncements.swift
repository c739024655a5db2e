// SPDX-License-Identifier: MIT

/// The announcements of other files in XMP: a gain map or a video after the picture.
public enum XMPAnnouncements {
  /// Returns whether a packet announces a file, which could not be found without it.
  public static func exist(in packet: [UInt8]?) -> Bool {
    guard let packet, let editor = editor(packet) else { return false }
    var changed = editor
    return remove(from: &changed)
  }

  /// Returns a packet without announcements, for a picture without such files.
  public static func removed(from packet: [UInt8]) -> [UInt8] {
    guard var editor = editor(packet), remove(from: &editor) else { return packet }
    return editor.packet()
  }

  /// Returns a packet that announces no video.
  public static func withoutVideo(_ packet: [UInt8]) -> [UInt8] {
    guard var editor = editor(packet), editor.removeVideo() else { return packet }
    return editor.packet()
  }

  private static func editor(_ packet: [UInt8]) -> XMPEditor? {
    XMPEncoding.utf8(packet).flatMap { try? XMPEditor($0) }
  }

  /// Returns whether there were any.
  private static func remove(from editor: inout XMPEditor) -> Bool {
    let maps = editor.removeGainMap()
    let videos = editor.removeMotion()
    return !editor.removeContainerItems().isEmpty || maps + videos > 0
  }
}

extension XMPEditor {
  /// Removes the announcement of a video, also from the list of appended files; returns whether there was one.
  mutating func removeVideo() -> Bool {
    let listed = removeContainerItems { $0 == "MotionPhoto" }
    return removeMotion() > 0 || !listed.isEmpty
  }
}
