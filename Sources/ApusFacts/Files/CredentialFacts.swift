// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMetadata
public import ISOBMFF

/// The Content Credentials (C2PA) of a file, which are shown as they are and not verified.
public struct CredentialFacts: Hashable, Sendable {
  /// The statements of the active manifest; `nil` if they cannot be read.
  public var credentials: ContentCredentials?

  /// Reads the credentials of a file of boxes; `nil` if it has none.
  init?(_ tree: BoxTree) {
    let found = tree.contentCredentials
    guard !found.isEmpty else { return nil }
    credentials = found.lazy.compactMap { ContentCredentials($0.node) }.first
  }

  /// Reads the credentials of a JPEG; `nil` if it has none.
  init?(_ segments: JPEGSegments, in source: any ByteSource) {
    guard let box = segments.contentCredentials.first else { return nil }
    self.init(store: (try? box.bytes(in: source)) ?? [])
  }

  /// - Parameter store: the bytes of the manifest store.
  init?(store: [UInt8]?) {
    guard let store else { return nil }
    credentials = try? ContentCredentials(reading: Extent(store))
  }
}

extension CredentialFacts: Described {
  package static let title = "credentials"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == CredentialFacts {
    v.required("verified", "Always false: signatures and hashes are not verified.") { _ in false }
    v.optional("manifests", "The number of manifests.") { $0.credentials?.manifestCount }
    v.optional("manifest", "The label of the active manifest.") { $0.credentials?.label }
    v.optional("claim_generator", "The program or camera that wrote it.") {
      $0.credentials?.generator?.name
    }
    v.optional("claim_generator_version", "Its version.") { $0.credentials?.generator?.version }
    v.optional("title", "The title of the file.") { $0.credentials?.title }
    v.optional("actions", "The actions in order.") {
      $0.credentials?.actions.nonEmpty.map { $0.map { ActionFacts(action: $0) } }
    }
  }
}

/// A step in the history of a file.
struct ActionFacts: Described {
  var action: ContentCredentials.Action

  static let title = "action"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == ActionFacts {
    v.required("action", "The action: `c2pa.created`, `c2pa.edited` …") { $0.action.action }
    v.optional("digital_source_type", "The kind of source, a URL of IPTC.") {
      $0.action.digitalSourceType
    }
    v.optional("software", "The software.") { $0.action.software?.name }
    v.optional("software_version", "Its version.") { $0.action.software?.version }
    v.optional("when", "The time of the action.") { $0.action.when }
  }
}
