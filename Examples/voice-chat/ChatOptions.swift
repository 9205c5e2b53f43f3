import ExampleSupport
import HearingDSP
import HearingVoice

/// What one call of the program is to do.
struct ChatOptions {
  var microphone = ""
  var farVoice = ""
  var otherAudio = ""
  var playback = ""
  var uplink = ""
  /// Nil: events are not written.
  var events: String?
  var duckingLevel = OtherAudioDuckingConfiguration.Level.default
  var isAdvancedDuckingEnabled = false
  var mutes: [MuteSpan] = []
  var wantsHelp = false

  /// Reads a command line without the command's name.
  init(arguments: some Sequence<String>) throws(UsageError) {
    var reader = ArgumentReader(arguments, repeatable: ["--mute"])
    var paths = PathRegister()
    func path(_ option: String) throws(UsageError) -> String {
      let path = try reader.text()
      try paths.add(path, as: option)
      return path
    }
    while let argument = try reader.next() {
      switch argument {
      case .option("--help"), .option("-h"):
        wantsHelp = true
        return
      case .option("--mic"): microphone = try path("--mic")
      case .option("--far"): farVoice = try path("--far")
      case .option("--other"): otherAudio = try path("--other")
      case .option("--playback"): playback = try path("--playback")
      case .option("--uplink"): uplink = try path("--uplink")
      case .option("--events"): events = try path("--events")
      case .option("--ducking"): duckingLevel = try reader.choice()
      case .option("--advanced"): isAdvancedDuckingEnabled = true
      case .option("--mute"): mutes.append(try MuteSpan(try reader.text(), option: "--mute"))
      case .option(let name): throw .unknownOption(name)
      case .operand(let text): throw .unexpectedOperand(text)
      }
    }
    let needed = [
      ("--mic MIC.wav", microphone), ("--far FAR.wav", farVoice), ("--other OTHER.wav", otherAudio),
      ("--playback OUT.wav", playback), ("--uplink UP.wav", uplink),
    ]
    for (name, path) in needed where path.isEmpty { throw .missingOption(name) }
  }
}
