// SPDX-License-Identifier: MIT

import ApusBytes
import ApusJSON

/// The description of the server's paths (OpenAPI 3.1), generated from the declarations of the verbs.
enum OpenAPIDescription {
  static let text: String = {
    var json = JSONWriter("")
    json.object { json in
      json.field("openapi", "3.1.0")
      json.key("info")
      json.object { json in
        json.field("title", "apus")
        json.field("version", About.version)
      }
      json.key("paths")
      json.object { json in
        for route in Route.own {
          json.key(route.path)
          json.object { json in
            json.key("post")
            json.object { json in write(route, to: &json) }
          }
        }
      }
    }
    json.endDocument()
    return json.output
  }()

  private static func write(_ route: Route, to json: inout JSONWriter<String>) {
    guard let verb = route.verb else { return }
    json.field("summary", verb.summary)
    json.field("operationId", verb.name.with("_", for: " "))
    json.key("parameters")
    json.array { json in
      for argument in route.parameters {
        json.object { json in
          write(argument, isRepeatable: route.repeats(argument), to: &json)
        }
      }
    }
    json.key("requestBody")
    json.object { json in
      json.field("required", true)
      json.field("description", "the file")
      content(["application/octet-stream", "multipart/form-data"], to: &json)
    }
    json.key("responses")
    json.object { json in
      json.key("200")
      json.object { json in
        let description =
          switch route.result {
          case .file, .parts: "the new file"
          case .results: "the results"
          case .page: "a page for a browser"
          }
        json.field("description", description)
        content(types(of: route), to: &json)
      }
      json.key("default")
      json.object { json in
        json.field("description", "what went wrong, as RFC 9457 has it")
        content(["application/problem+json"], to: &json)
      }
    }
  }

  private static func types(of route: Route) -> [String] {
    guard route.result == .file else {
      return [route.result == .page ? "text/html" : "application/json"]
    }
    return ["application/octet-stream"] + (route.hasSizes ? ["multipart/mixed"] : [])
  }

  private static func content(_ types: [String], to json: inout JSONWriter<String>) {
    json.key("content")
    json.object { json in
      for type in types {
        json.key(type)
        json.object { _ in }
      }
    }
  }

  private static func write(
    _ argument: Argument, isRepeatable: Bool, to json: inout JSONWriter<String>
  ) {
    json.field("name", argument.long)
    json.field("in", "query")
    json.field("description", argument.brief)
    json.key("schema")
    json.object { json in
      if isRepeatable {
        json.field("type", "array")
        json.key("items")
        json.object { json in json.field("type", "string") }
        return
      }
      json.field("type", argument.kind == .flag ? "boolean" : "string")
      if !argument.choices.isEmpty {
        json.key("enum")
        json.array { json in for choice in argument.choices { json.value(choice) } }
      }
      if let standard = argument.standard, argument.kind != .flag {
        json.field("default", standard)
      }
    }
  }
}
