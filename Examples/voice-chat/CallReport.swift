import ExampleSupport
import Foundation
import HearingAudio
import HearingReport
import HearingVoice

/// The spectrograms of the microphone signal and of the uplink.
struct CallSound {
  private(set) var microphone: Spectrogram
  private(set) var uplink: Spectrogram

  init(sampleRate: Double) {
    microphone = Spectrogram(sampleRate: sampleRate)
    uplink = microphone
  }

  /// Adds a block. Uses only the first channel of each signal.
  mutating func add(microphone: AudioBlock, uplink: AudioBlock) {
    unsafe self.microphone.add(microphone.channels[0], frameCount: microphone.frameCount)
    unsafe self.uplink.add(uplink.channels[0], frameCount: uplink.frameCount)
  }
}

/// The HTML page about a call: timeline, spectrograms and the figures of the summary.
struct CallReport {
  private let page: ReportPage

  init(_ summary: CallSummary, sound: CallSound, options: ChatOptions) {
    let picture = SpectrogramPicture(
      edges: sound.microphone.edges, secondsPerColumn: sound.microphone.secondsPerColumn,
      before: sound.microphone.columns, after: sound.uplink.columns,
      title: "Microphone before and after", muted: summary.history.muted)
    let mode = options.microphoneMode
    page = ReportPage(
      title: "A voice call",
      introduction: "\(summary.seconds.clockText) in the mode \(options.mode.rawValue).",
      sections: [
        ReportSection(
          title: "What happened",
          blocks: [
            .list(summary.sentences),
            .picture(
              summary.history.picture(lost: summary.sound.lost).svg,
              caption: "Talk is reported after 0.1 s of voice, and ends 0.8 s after the last. Lost "
                + "is talk of this end that was sent more than 10 dB softer than it came, while "
                + "not muted."),
          ]),
        ReportSection(
          title: "Sound",
          blocks: [
            .paragraph(
              "Above what the microphone heard, below what was sent. While muted, nothing was "
                + "sent."),
            .picture(
              picture.svg,
              caption: "Levels are in dB relative to an RMS of 1.0, in bands a sixth of an octave "
                + "wide."),
          ]),
        ReportSection(
          title: "Figures",
          blocks: [.list(summary.figures)]),
        ReportSection(
          title: "Settings",
          blocks: [
            .list([
              "echo cancellation: \(mode.cancelsEcho ? "on" : "off")",
              "suppression of residual echo: \(mode.suppressesResidualEcho ? "on" : "off"), strength "
                + "\(options.echoStrength.text(places: 2)) of 1",
              "noise suppression: \((mode.noiseSuppression * 100).rounded() / 100) of 1",
              "high-pass: \(mode.removesRumble || mode.controlsGain ? "on" : "off")",
              "gain control: \(mode.controlsGain ? "on" : "off")",
              "comfort noise: \(mode.addsComfortNoise ? "on" : "off")",
            ])
          ]),
      ])
  }

  /// The HTML page as UTF-8.
  var data: Data { page.data }
}
