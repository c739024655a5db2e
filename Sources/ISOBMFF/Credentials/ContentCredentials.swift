// SPDX-License-Identifier: MIT

public import ApusBytes

/// Content Credentials, as the active manifest of a manifest store states them: C2PA Technical Specification. Neither its
/// signature nor its hashes are verified.
public struct ContentCredentials: Hashable, Sendable {
  /// A program or a camera.
  public struct Software: Hashable, Sendable {
    public var name: String
    public var version: String?
  }

  /// A step in the history of the file.
  public struct Action: Hashable, Sendable {
    /// The action, such as `c2pa.created`.
    public var action: String
    /// The kind of source, such as `http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia`.
    public var digitalSourceType: String?
    public var software: Software?
    /// The time of the action as stored.
    public var when: String?
  }

  /// The number of manifests in the store, of which the last is the active one.
  public private(set) var manifestCount: Int
  /// The label of the active manifest.
  public private(set) var label: String
  /// The program or camera that wrote the active manifest.
  public private(set) var generator: Software?
  public private(set) var title: String?
  /// The actions in order; empty if they cannot be read.
  public private(set) var actions: [Action] = []

  /// The maximum number of actions that are read.
  private static let mostActions = 1 << 10

  /// Reads a manifest store from the bytes of its superbox; `nil` if it has none.
  public init?(reading store: Extent) throws(SyntaxError) {
    var reader = SyntaxReader(store.source, range: store.range)
    guard store.count > 8 else { return nil }
    self.init(try Node.read(from: &reader))
  }

  /// Reads the manifest store in a box, such as `uuid`; `nil` if it has none.
  public init?(_ node: Node) {
    let boxes = node.type == "jumb" ? [node] : node.children
    guard
      let store = boxes.lazy.compactMap({ $0.body(as: UniversalMetadata.self) })
        .first(where: { $0.label == "c2pa" })
    else { return nil }
    let manifests = store.parts
    guard let (label, manifest) = manifests.last else { return nil }
    (manifestCount, self.label) = (manifests.count, label)
    for (label, part) in manifest.parts {
      // The label of the second form of a claim, and of further assertions, is longer.
      if label.hasPrefix("c2pa.claim"), let claim = part.data {
        addClaim(claim)
      } else if label == "c2pa.assertions" {
        for (label, assertion) in part.parts where label.hasPrefix("c2pa.actions") {
          for action in assertion.data?["actions"]?.elements ?? []
          where actions.count < Self.mostActions {
            addAction(action)
          }
        }
      }
    }
  }

  private mutating func addClaim(_ claim: CBORItem) {
    let information = claim["claim_generator_info"]
    generator =
      information.flatMap { Software($0.elements.first ?? $0) }
      ?? claim["claim_generator"]?.text.map { Software(name: $0) }
    title = claim["dc:title"]?.text
  }

  private mutating func addAction(_ item: CBORItem) {
    guard let name = item["action"]?.text else { return }
    let agent = item["softwareAgent"]
    let software = agent.flatMap { Software($0) } ?? agent?.text.map { Software(name: $0) }
    actions.append(
      Action(
        action: name, digitalSourceType: item["digitalSourceType"]?.text, software: software,
        when: item["when"]?.text))
  }
}

extension ContentCredentials.Software {
  fileprivate init?(_ map: CBORItem) {
    guard let name = map["name"]?.text else { return nil }
    self.init(name: name, version: map["version"]?.text)
  }
}

extension UniversalMetadata {
  /// The content, if it is in CBOR.
  fileprivate var data: CBORItem? {
    boxes.lazy.compactMap { $0.body(as: CBORContent.self) }.first.flatMap {
      CBORItem(reading: $0.data)
    }
  }
}

extension BoxTree {
  /// The boxes with Content Credentials (C2PA), in file order: those of the user type, which contain the manifest store
  /// or hashes, and a superbox in JPEG XL or in a separate file.
  public var contentCredentials: [LocatedNode] {
    located.filter {
      $0.node.body(as: ContentProvenance.self) != nil
        || $0.node.header.userType == ContentProvenance.userTypes[0].bytes
        || $0.node.body(as: UniversalMetadata.self)?.label == "c2pa"
    }
  }
}
