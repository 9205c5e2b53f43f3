import ExampleSupport

/// Drops pieces of music into a folder and opens them again; `piece-box --help` tells how.
@main
struct PieceBox {
  static func main() async {
    await Command("piece-box").run { () async throws(CommandFailure) in
      try await BoxCommand(arguments: CommandLine.arguments.dropFirst()).run()
    }
  }
}
