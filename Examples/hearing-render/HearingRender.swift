import ExampleSupport

/// Renders speech or music for a listener's ears; `hearing-render --help` tells how.
@main
struct HearingRender {
  static func main() async {
    await Command("hearing-render").run { () async throws(CommandFailure) in
      try await RenderCommand(arguments: CommandLine.arguments.dropFirst()).run()
    }
  }
}
