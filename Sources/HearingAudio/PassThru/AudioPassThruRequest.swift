public import Foundation

/// A request for the audio data of a connected device's microphone.
///
///     var request = AudioPassThruRequest(
///       samplingRate: .hz16000, sampleSize: .bits16, maximumDuration: 5_000)
///     request.mutesOtherAudio = true
///     request.displayTexts = ["Say a street", "then a town"]
///     request.audioDataHandler = { data in if let data { recogniser.add(data) } }
///
/// The sound is PCM of one channel: 8-bit samples are unsigned with silence at 128, 16-bit samples
/// are signed and little-endian. ``AudioPassThru/perform(_:)`` carries it out.
public struct AudioPassThruRequest: Sendable {
  /// Frames per second.
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

  /// Frames per second.
  public var samplingRate: SamplingRate

  /// The bits of one sample.
  public var sampleSize: SampleSize

  /// The longest duration in milliseconds, 1…1,000,000, counted in received frames.
  public var maximumDuration: Int

  /// Whether other audio is muted during the request; default false.
  public var mutesOtherAudio = false

  /// The text spoken to the user at the beginning; nil, the default: none.
  public var initialPrompt: String?

  /// Up to two lines shown to the user during the request; default none.
  public var displayTexts: [String] = []

  /// Called with each chunk in order, with nil for an empty notification; calls never overlap.
  ///
  /// It is released before the result is delivered.
  public var audioDataHandler: (@Sendable (Data?) -> Void)?

  /// Creates a request for at most `maximumDuration` milliseconds, 1…1,000,000.
  public init(samplingRate: SamplingRate, sampleSize: SampleSize, maximumDuration: Int) {
    self.samplingRate = samplingRate
    self.sampleSize = sampleSize
    self.maximumDuration = maximumDuration
  }

  /// The longest durations that a request can have, in milliseconds.
  public static let supportedDurations: ClosedRange<Int> = 1...1_000_000

  /// The largest number of lines.
  public static let maximumDisplayTextCount = 2

  /// The number of whole frames in the longest duration.
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
