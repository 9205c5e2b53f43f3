import ExampleSupport
import HearingDSP
import HearingVoice

/// The options of `voice-chat`.
struct ChatOptions {
  var microphone = ""
  var farVoice = ""
  var otherAudio = ""
  var playback = ""
  var uplink = ""
  /// The path of the events file; nil if events are not written.
  var events: String?
  /// The path of the HTML page; nil if no page is written.
  var report: String?
  var duckingLevel = OtherAudioDuckingConfiguration.Level.default
  var isAdvancedDuckingEnabled = false
  var mutes: [MuteSpan] = []
  var mode = ChatMode.linear
  /// The strength of noise suppression; nil for the strength of the mode.
  var noiseSuppression: Double?
  var gain: Switch?
  /// The duration of the echo that is removed, and the delay of the devices, in seconds.
  var tail = 0.192
  var delay = 0.0
  /// The strength of residual echo suppression, 0…1.
  var echoStrength = 1.0

  enum Switch: String, CaseIterable {
    case on, off
  }

  /// The mode, changed by options for noise suppression and gain control.
  var microphoneMode: MicrophoneMode {
    var mode = mode.microphoneMode
    if let noiseSuppression { mode.noiseSuppression = noiseSuppression }
    if let gain { mode.controlsGain = gain == .on }
    return mode
  }

  /// Parses a command line that does not include the command's name.
  init(arguments: some Sequence<String>) throws(UsageError) {
    var reader = ArgumentReader(arguments, repeatable: ["--mute"])
    var paths = PathRegister()
    func path(_ option: String, isInput: Bool = false) throws(UsageError) -> String {
      let path = try reader.text()
      try paths.add(path, as: option, isSharedInput: isInput)
      return path
    }
    func sound(_ option: String) throws(UsageError) -> String {
      let path = try path(option)
      try OtherSoundFormat.checkOutput(path, option: option)
      return path
    }
    while let argument = try reader.next() {
      switch argument {
      case .option("--mic"): microphone = try path("--mic", isInput: true)
      case .option("--far"): farVoice = try path("--far", isInput: true)
      case .option("--other"): otherAudio = try path("--other", isInput: true)
      case .option("--playback"): playback = try sound("--playback")
      case .option("--uplink"): uplink = try sound("--uplink")
      case .option("--events"): events = try path("--events")
      case .option("--report"): report = try path("--report")
      case .option("--ducking"): duckingLevel = try reader.choice()
      case .option("--advanced"): isAdvancedDuckingEnabled = true
      case .option("--mode"): mode = try reader.choice()
      case .option("--noise-suppression"): noiseSuppression = try reader.number(in: 0...1)
      case .option("--gain"): gain = try reader.choice()
      case .option("--tail"): tail = try reader.number(in: EchoCanceller.supportedTails)
      case .option("--delay"): delay = try reader.number(in: 0...0.5)
      case .option("--echo-strength"): echoStrength = try reader.number(in: 0...1)
      case .option("--mute"): mutes.append(try MuteSpan(try reader.text(), option: "--mute"))
      case .option(let name): throw .unknownOption(name)
      case .operand(let text): throw .unexpectedOperand(text)
      }
    }
    let required = [
      ("--mic MIC.wav", microphone), ("--far FAR.wav", farVoice), ("--other OTHER.wav", otherAudio),
      ("--playback OUT.wav", playback), ("--uplink UP.wav", uplink),
    ]
    for (name, path) in required where path.isEmpty { throw .missingOption(name) }
  }
}

extension ChatOptions {
  /// The text that `--help` prints.
  static var help: String {
    """
    Renders a voice call from files: the playback at this end and the uplink to the other end.

      voice-chat --mic MIC.wav --far FAR.wav --other OTHER.wav --playback OUT.wav --uplink UP.wav
          [--mode linear|standard|voice-isolation|wide-spectrum|bypass] [--noise-suppression 0…1]
          [--gain on|off] [--echo-strength 0…1] [--tail SECONDS] [--delay SECONDS]
          [--ducking default|min|mid|max] [--advanced] [--mute START:END]…
          [--events EVENTS.jsonl] [--report PAGE.html]

    The playback is the far voice plus the ducked other audio. The uplink is the microphone without
    the echo of the playback, or digital silence while muted. All inputs have the same sample rate,
    8000…96000 Hz. An input that ends early is continued with silence. One file may be several inputs.
    Levels in the summary are those of speech without its pauses (ITU-T P.56), in dB relative to an
    RMS of 1.0.

      --mic MIC.wav            the microphone, mono or stereo; of stereo the mean is used
      --far FAR.wav            the voice from the other end, mono or stereo
      --other OTHER.wav        other audio, such as music, mono or stereo
      --playback OUT.wav       the sound to play here: stereo, float32
      --uplink UP.wav          the sound to send: mono, float32
      --mode MODE              what is done to the microphone: linear (the default; echo is
                               cancelled without latency), standard, voice-isolation,
                               wide-spectrum or bypass
      --noise-suppression N    0 (off) … 1 (40 dB), instead of the mode's
      --gain on|off            bring speech to a steady level, instead of the mode's
      --echo-strength N        0 (none, as for headphones) … 1 (default): how much of the echo that
                               the canceller leaves is suppressed; 0.5 leaves more of near talk
      --tail SECONDS           how long after its start echo is removed, 0.064…0.5; default 0.192
      --delay SECONDS          the delay of the devices if it is known, 0…0.5; default 0
      --ducking LEVEL          default (10 dB), min (3 dB), mid (14 dB) or max (20 dB)
      --advanced               duck by a quarter of the level while nobody talks at either end
      --mute START:END         mute from second START to second END; may be repeated
      --events EVENTS.jsonl    write events as lines of JSON: talk while muted, voice activity at
                               either end, target gains of ducking in dB
      --report PAGE.html       write a page that describes the call in words: who talked when, mutes,
                               ducking, echo, near talk that was lost, with a time line and
                               spectrograms of the microphone and the uplink
      --help                   print this help
      --version                print the version

    Exit codes: 64 wrong command line, 65 wrong data, 66 input not readable, 73 and 74 output not
    writable.

    """
  }
}
