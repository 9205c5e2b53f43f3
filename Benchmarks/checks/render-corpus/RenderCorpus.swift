import Foundation

/// Renders the corpus and prints one line per case: its name and the digests of its results.
///
///     render-corpus [--only TEXT]          renders all cases, or the cases with TEXT in their name
///     render-corpus --trace NAME FILE      renders one case and writes the output samples to FILE
///     render-corpus --speed [TEXT]         times all chains, or the chains with TEXT in their name
///
/// The script `compare-renderings.py` builds this program against two checkouts and compares the
/// outputs.
@main
struct RenderCorpus {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.count) {
    case (nil, _): try render { _ in true }
    case ("--only", 2): try render { $0.contains(arguments[1]) }
    case ("--trace", 3): try trace(arguments[1], to: arguments[2])
    case ("--speed", 1): try SpeedRun(only: "").run()
    case ("--speed", 2): try SpeedRun(only: arguments[1]).run()
    default:
      FileHandle.standardError.write(
        Data("usage: render-corpus [--only TEXT | --trace NAME FILE | --speed [TEXT]]\n".utf8))
      exit(2)
    }
  }

  private static func render(_ isWanted: (String) -> Bool) throws {
    var coverage = Coverage()
    for entry in CorpusCase.all where isWanted(entry.name) {
      var record = CaseRecord()
      try entry.render(&record)
      print(record.line(name: entry.name))
      coverage.add(record.coverage)
    }
    print(coverage.line)
  }

  private static func trace(_ name: String, to path: String) throws {
    for entry in CorpusCase.all where entry.name == name {
      var record = CaseRecord(tracesOutput: true)
      try entry.render(&record)
      try record.writeTrace(to: path)
    }
  }
}

/// A case and its name.
struct CorpusCase {
  var name: String
  var render: (inout CaseRecord) throws -> Void

  static var all: [CorpusCase] {
    ProcessorCases.all.map { entry in
      CorpusCase(name: entry.name) { try entry.render(into: &$0) }
    } + VoiceCases.all
  }
}
