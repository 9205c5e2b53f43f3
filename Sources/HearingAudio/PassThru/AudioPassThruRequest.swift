public import Foundation

/// A request for audio data from the microphone of a connected device.
///
///     var request = AudioPassThruRequest(
///       samplingRate: .hz16000, sampleSize: .bits16, maximumDuration: 5_000)
///     request.mutesOtherAudio = true
///     request.initialPrompt = ["Where do you want to go?", .file("chime")]
///     request.displayText1 = "Say a street"
///     request.audioDataHandler = { data in if let data { recogniser.add(data) } }
///
/// The audio data are PCM samples of one channel. 8-bit samples are unsigned, and 128 is silence.
/// 16-bit samples are signed and little-endian. ``AudioPassThru/perform(_:)`` starts the request.
public struct AudioPassThruRequest: Sendable {
  /// The sampling rate in Hz, which is the number of frames per second.
  public enum SamplingRate: Int, Sendable, CaseIterable {
    /// A sampling rate of 8,000 Hz.
    case hz8000 = 8_000
    /// A sampling rate of 16,000 Hz.
    case hz16000 = 16_000
    /// A sampling rate of 22,050 Hz.
    case hz22050 = 22_050
    /// A sampling rate of 44,100 Hz.
    case hz44100 = 44_100
  }

  /// The number of bits in one sample.
  public enum SampleSize: Int, Sendable, CaseIterable {
    /// Unsigned 8-bit samples. 128 is silence.
    case bits8 = 8
    /// Signed, little-endian 16-bit samples.
    case bits16 = 16
  }

  /// The sampling rate in Hz, which is the number of frames per second.
  public var samplingRate: SamplingRate

  /// The number of bits in one sample.
  public var sampleSize: SampleSize

  /// One text or one audio file of the prompt.
  public enum PromptChunk: Sendable, Hashable, ExpressibleByStringLiteral {
    /// A text to be spoken.
    case text(String)
    /// The identifier of an audio file on the device.
    case file(String)

    /// A text to be spoken.
    public init(stringLiteral value: String) {
      self = .text(value)
    }
  }

  /// The event that starts the clock of a request. The clock is a timer that ends the request after
  /// the maximum duration.
  public enum ClockStart: Sendable, Hashable, CaseIterable {
    /// If the request has no prompt, the clock starts with the request. If the request has a
    /// prompt, the clock starts at the end of the prompt or at the first chunk of audio data,
    /// whichever comes first. Therefore the request ends even if no audio data are received.
    case request
    /// The clock starts at the first chunk of audio data.
    case firstChunk
  }

  /// The format of the audio data. The default is PCM.
  public var audioType = "pcm"

  /// The maximum duration of the request in milliseconds. If the maximum duration is 0 or less, the
  /// request ends immediately.
  ///
  /// The maximum duration limits the duration of the received frames, and also the time since the
  /// start of the clock.
  public var maximumDuration: Int

  /// The event that starts the clock for the maximum duration. The default is
  /// ``ClockStart/request``. If `clockStart` is nil, no clock ends the request, and the maximum
  /// duration limits only the received frames. Set `clockStart` to nil for a source that is slower
  /// than real time.
  public var clockStart: ClockStart? = .request

  /// Whether other audio is muted while the request is running. The default is false.
  public var mutesOtherAudio = false

  /// The prompt that the user hears at the start of the request. The default is no prompt.
  public var initialPrompt: [PromptChunk] = []

  /// The first line of text shown to the user during the request. The default is nil.
  public var displayText1: String?

  /// The second line of text shown to the user during the request. The second line is shown even if
  /// the first line is nil. The default is nil.
  public var displayText2: String?

  /// A closure that is called with each chunk of audio data, in order. If the source sends empty
  /// data, the closure is called with nil. Calls of the closure never overlap.
  ///
  /// The closure is released before the request's result is delivered.
  public var audioDataHandler: (@Sendable (Data?) -> Void)?

  /// Creates a request for at most `maximumDuration` milliseconds.
  public init(
    samplingRate: SamplingRate, sampleSize: SampleSize, maximumDuration: Int,
    audioDataHandler: (@Sendable (Data?) -> Void)? = nil
  ) {
    self.samplingRate = samplingRate
    self.sampleSize = sampleSize
    self.maximumDuration = maximumDuration
    self.audioDataHandler = audioDataHandler
  }

  /// Creates a prompt that consists of one spoken text.
  public static func prompt(_ text: String) -> [PromptChunk] { [.text(text)] }

  /// The number of whole frames in the maximum duration, at least 0.
  public var maximumFrameCount: Int {
    Int(clamping: Int128(max(0, maximumDuration)) * Int128(samplingRate.rawValue) / 1_000)
  }

  /// The format of the samples.
  var encoding: SampleEncoding { sampleSize == .bits8 ? .uint8 : .int16 }

  /// Whether there is a text to show.
  var hasDisplayTexts: Bool { displayText1 != nil || displayText2 != nil }
}
