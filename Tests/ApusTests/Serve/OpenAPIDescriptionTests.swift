// SPDX-License-Identifier: MIT

import ApusJSON
import Testing

@testable import ApusCommand

/// The description of the server, as OpenAPI 3.1 has it.
@Suite struct OpenAPIDescriptionTests {
  private static func members(_ value: JSONValue?) throws -> [JSONValue.Member] {
    guard case .object(let members) = value else { throw Unavailable("an object") }
    return members
  }

  private static func elements(_ value: JSONValue?) throws -> [JSONValue] {
    guard case .array(let values) = value else { throw Unavailable("an array") }
    return values
  }

  private static let description: Result<JSONValue, any Error> = Result {
    try JSONReader.value(of: Array(OpenAPIDescription.text.utf8))
  }

  private static func operation(_ path: String) throws -> JSONValue {
    try #require(try description.get()["paths"]?[path]?["post"])
  }

  @Test func `it describes each path`() throws {
    let json = try Self.description.get()
    #expect(json["openapi"]?.text == "3.1.0")
    #expect(json["info"]?["title"]?.text == "apus")
    #expect(json["info"]?["version"]?.text == About.version)
    #expect(try Self.members(json["paths"]).map(\.name) == Route.own.map(\.path))
    let identifiers = try Route.own.map { try Self.operation($0.path)["operationId"]?.text }
    #expect(Set(identifiers).count == Route.own.count)
    #expect(!identifiers.contains(nil))
  }

  @Test(arguments: Route.own.map(\.path))
  func `it describes an operation with its parameters, body and answers`(_ path: String) throws {
    let operation = try Self.operation(path)
    #expect(operation["summary"]?.text?.isEmpty == false)
    #expect(operation["requestBody"]?["required"]?.truth == true)
    let types = try Self.members(operation["requestBody"]?["content"]).map(\.name)
    #expect(types == ["application/octet-stream", "multipart/form-data"])
    let answers = try Self.members(operation["responses"])
    #expect(answers.map(\.name) == ["200", "default"])
    #expect(answers.allSatisfy { $0.value["description"]?.text?.isEmpty == false })
    let problem = try Self.members(answers[1].value["content"]).map(\.name)
    #expect(problem == ["application/problem+json"])

    let parameters = try Self.elements(operation["parameters"])
    let names = parameters.map { $0["name"]?.text ?? "" }
    #expect(Set(names).count == names.count)
    for (name, parameter) in zip(names, parameters) {
      #expect(parameter["in"]?.text == "query")
      #expect(parameter["description"]?.text?.isEmpty == false, "\(name)")
      #expect(
        ["boolean", "string", "array"].contains(parameter["schema"]?["type"]?.text), "\(name)")
      // A request may name what is described, and what is described has a value that is allowed.
      let schema = try #require(parameter["schema"])
      let choices = try schema["enum"].map { try Self.elements($0).compactMap(\.text) }
      if let choices, let standard = schema["default"]?.text { #expect(choices.contains(standard)) }
      guard schema["type"]?.text == "boolean" else { continue }
      #expect(throws: Never.self, "\(name)") { try RouteTests.call("\(path)?\(name)=false") }
    }
  }

  /// The path, and the media types of its answer.
  @Test(arguments: [
    ("/v1/convert", ["application/octet-stream"]), ("/v1/extract", ["application/octet-stream"]),
    ("/v1/thumbnail", ["application/octet-stream", "multipart/mixed"]),
    ("/v1/info", ["application/json"]), ("/v1/hvcc/check", ["application/json"]),
    ("/v1/report", ["text/html"]),
  ])
  func `it names the types of an answer`(_ path: String, _ types: [String]) throws {
    let answer = try Self.operation(path)["responses"]?["200"]
    #expect(try Self.members(answer?["content"]).map(\.name) == types)
  }

  /// The path, the parameter, and its schema.
  static let schemas: [(String, String, [JSONValue.Member])] = [
    ("/v1/convert", "srgb", [.init("type", .text("boolean"))]),
    ("/v1/convert", "quality", [.init("type", .text("string"))]),
    (
      "/v1/convert", "chroma",
      [
        .init("type", .text("string")),
        .init("enum", .array(["auto", "420", "422", "444"].map { .text($0) })),
        .init("default", .text("auto")),
      ]
    ),
    (
      "/v1/thumbnail", "size",
      [.init("type", .text("array")), .init("items", .object([.init("type", .text("string"))]))]
    ),
    (
      "/v1/edit", "set",
      [.init("type", .text("array")), .init("items", .object([.init("type", .text("string"))]))]
    ),
  ]

  @Test(arguments: schemas)
  func `it has the schema of a parameter`(
    _ path: String, _ name: String, _ schema: [JSONValue.Member]
  ) throws {
    let parameters = try Self.elements(Self.operation(path)["parameters"])
    let found = parameters.first { $0["name"]?.text == name }?["schema"]
    #expect(found == .object(schema))
  }

  @Test func `it lists no option that requests may not give`() throws {
    for route in Route.own {
      let parameters = try Self.elements(Self.operation(route.path)["parameters"])
      let names = Set(parameters.compactMap { $0["name"]?.text })
      #expect(
        names.isDisjoint(with: ["output", "limit", "jobs", "journal", "json", "exif", "color"]))
    }
  }
}
