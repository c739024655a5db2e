// SPDX-License-Identifier: MIT

extension XMPEditor {
  /// Removes the announcement of a gain map in the file.
  mutating func removeGainMap() -> Int {
    removeProperties { [XMPNamespace.gainMap, XMPNamespace.appleGainMap].contains($0.namespace) }
  }

  /// Removes the announcement of a video after the picture.
  mutating func removeMotion() -> Int {
    removeProperties { name in
      switch name.namespace {
      case XMPNamespace.googleCamera:
        name.local.hasPrefix("MotionPhoto") || name.local.hasPrefix("MicroVideo")
      case XMPNamespace.oplusCamera:
        ["MotionPhoto", "OLivePhoto", "VideoLength"].contains { name.local.hasPrefix($0) }
      default: false
      }
    }
  }

  /// Removes files that are not appended from lists of appended files, as well as lists with only the picture.
  ///
  /// - Parameter isRemoved: returns whether files of a semantic are removed; by default, all are.
  /// - Returns: the semantics of the removed files.
  mutating func removeContainerItems(where isRemoved: (String) -> Bool = { _ in true }) -> [String]
  {
    var removed: [String] = []
    for index in document.elements.indices where isDirectory(index) {
      let items = document.descendants(of: index).filter { isItem($0, of: index) }
      let listed = items.map { (index: $0, semantic: semantic(of: $0)) }
      let files = listed.filter { $0.semantic != "Primary" }
      let others = files.filter { isRemoved($0.semantic) }
      removed += others.map(\.semantic)
      if others.count < files.count {
        for item in others { remove(element: item.index) }
      } else {
        remove(element: index)
      }
    }
    return removed
  }

  /// The offset for inserting an item in the list of appended files; `nil` if there is no list.
  var endOfFileList: Int? {
    document.elements.indices.lazy.filter(isDirectory).compactMap { directory in
      document.children(of: directory).lazy.compactMap { document.elements[$0].content?.upperBound }
        .first
    }.first
  }

  private func isDirectory(_ index: Int) -> Bool {
    let name = document.elements[index].name
    return name.local == "Directory" && XMPNamespace.containers.contains(name.namespace)
  }

  /// Returns whether an element is an `rdf:li` of the list itself.
  private func isItem(_ index: Int, of directory: Int) -> Bool {
    let element = document.elements[index]
    guard element.name == Name(namespace: XMPNamespace.rdf, local: "li"), let list = element.parent
    else { return false }
    return document.elements[list].parent == directory
  }

  private func semantic(of item: Int) -> String {
    let fits = { (name: Name) in
      name.local == "Semantic" && XMPNamespace.containerItems.contains(name.namespace)
    }
    for index in [item] + document.descendants(of: item) {
      let element = document.elements[index]
      if let attribute = element.attributes.first(where: { fits($0.name) }) {
        return document.text(attribute.value)
      }
      if fits(element.name), let content = element.content { return document.text(content) }
    }
    return "unknown"
  }
}
