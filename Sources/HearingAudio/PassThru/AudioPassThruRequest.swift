public import Foundation

/// What an app asks a connected device for: the sound of its microphone, for a while.
///
///     var request = AudioPassThruRequest(
///       samplingRate: .hz16000, sampleSize: .bits16, maximumDuration: 5_000)
///     request.mutesOtherAudio = true
///     request.displayTexts = ["Say a street", "then a town"]
///     request.audioDataHandler = { data in if let data { recogniser.add(data) } }
///
/// The sound is PCM of one channel: 8-bit samples are unsigned with silence at 128, 16-bit samples
/// are signed and little-endian. It is carried out by ``AudioPassThru/perform(_:)``.
public struct AudioPassThruRequest: Sendable {
  /// Frames a second.
  public enum SamplingRate: Int, Sendable, CaseIterable {
    /// 8,000 Hz.
    case hz8000 = 8_000
    /// 16,000 Hz.
    case hz16000 = 16_000
    /// 22,050 Hz.
    case hz22050 = 22_050
    /// 44,100 Hz.
    case hz44100 = 44_100
  }

  /// The bits of one sample.
  public enum SampleSize: Int, Sendable, CaseIterable {
    /// Unsigned, with silence at 128.
    case bits8 = 8
    /// Signed, little-endian.
    case bits16 = 16
  }

  /// Frames a second.
  public var samplingRate: SamplingRate

  /// The bits of one sample.
  public var sampleSize: SampleSize

  /// The longest duration in milliseconds, 1…1,000,000. It counts what is received, not the time
  /// that passes.
  public var maximumDuration: Int

  /// Whether everything else that plays is to be silent meanwhile; default false.
  public var mutesOtherAudio = false

  /// What is spoken to the user at the beginning; nil, the default: nothing.
  public var initialPrompt: String?

  /// Up to two lines that are shown to the user meanwhile; default none.
  public var displayTexts: [String] = []

  /// Called with each chunk in order, with nil for an empty notification; never two calls at once.
  ///
  /// It is released before the result of the request is delivered.
  public var audioDataHandler: (@Sendable (Data?) -> Void)?

  /// A request without prompt, texts and handler, for up to `maximumDuration` milliseconds,
  /// 1…1,000,000.
  public init(samplingRate: SamplingRate, sampleSize: SampleSize, maximumDuration: Int) {
    self.samplingRate = samplingRate
    self.sampleSize = sampleSize
    self.maximumDuration = maximumDuration
  }

  /// The durations in milliseconds that can be asked for.
  public static let supportedDurations: ClosedRange<Int> = 1...1_000_000

  /// The most lines that can be shown.
  public static let maximumDisplayTextCount = 2

  /// The most whole frames that fit into the longest duration.
  public var maximumFrameCount: Int { samplingRate.rawValue * maximumDuration / 1_000 }

  func validate() throws(AudioPassThruError) {
    guard Self.supportedDurations.contains(maximumDuration) else {
      throw .durationOutOfRange(milliseconds: maximumDuration)
    }
    guard displayTexts.count <= Self.maximumDisplayTextCount else {
      throw .tooManyDisplayTexts(displayTexts.count)
    }
  }
}
