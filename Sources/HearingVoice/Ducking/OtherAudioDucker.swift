public import HearingDSP

/// Lowers the other audio that plays beside a voice call.
///
///     var ducker = try OtherAudioDucker(
///       spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2),
///       configuration: OtherAudioDuckingConfiguration(enableAdvancedDucking: true))
///     ducker.isSomebodyTalking = voice.isActive
///     ducker.process(music, frameCount: 512)      // on the audio thread
///
/// The gain goes down within 50 ms. It goes up within 800 ms, and where that is because a voice has
/// fallen silent, only after 400 ms. It never turns a corner, so changes make no click, and it never
/// leaves the range between where it was and where it goes. Every channel has the same gain.
///
/// Both inputs, ``configuration`` and ``isSomebodyTalking``, may change at any time. Changes are
/// taken up at the edges of steps (of 0.08…0.67 ms by the sample rate, counted from the first frame),
/// therefore no result depends on how the sound is cut into blocks. Before the first frame and after
/// ``reset()`` they are in force at once, without a ramp.
///
/// All of it belongs to the render side: one thread at a time, no allocation, no lock. It does not
/// find out by itself who talks; ``VoiceProcessor`` does.
public struct OtherAudioDucker: ~Copyable {
  /// By how much to duck, and whether that follows voices.
  public var configuration: OtherAudioDuckingConfiguration

  /// Whether anybody talks, on either side. Plain ducking does not ask.
  public var isSomebodyTalking = false

  /// How many channels are lowered together.
  public let channelCount: Int

  private let stepFrames: Int
  private let holdSteps: Int
  private var glide: DuckingGlide
  private var hasBegun = false
  /// Frames since the last edge.
  private var offset = 0
  /// Steps for which a voice that has fallen silent still counts.
  private var heldSteps = 0
  /// The amplitude ratio at the last edge, and how much it grows a frame.
  private var ratio: Float = 1
  private var slope: Float = 0

  /// Builds a ducker.
  ///
  /// - Parameters:
  ///   - spec: 8,000…192,000 Hz, 1…8 channels.
  ///   - configuration: In force from the first frame.
  /// - Throws: ``Failure`` that names the value.
  public init(
    spec: ProcessingSpec, configuration: OtherAudioDuckingConfiguration = .init()
  ) throws(Failure) {
    guard ProcessingSpec.supportedSampleRates.contains(spec.sampleRate) else {
      throw .sampleRateOutOfRange(spec.sampleRate)
    }
    guard ProcessingSpec.supportedChannelCounts.contains(spec.channelCount) else {
      throw .channelCountOutOfRange(spec.channelCount)
    }
    self.configuration = configuration
    channelCount = spec.channelCount
    let stepFrames = spec.sampleRate < 12_000 ? 4 : spec.sampleRate < 24_000 ? 8 : 16
    let stepRate = spec.sampleRate / Double(stepFrames)
    self.stepFrames = stepFrames
    holdSteps = Int((Self.holdTime * stepRate).rounded())
    glide = DuckingGlide(
      gain: 0, attackSteps: Int((Self.attackTime * stepRate).rounded()),
      releaseSteps: Int((Self.releaseTime * stepRate).rounded()))
  }

  deinit { glide.deallocate() }

  /// The gain in dB that is in force, 0 or less.
  public var gain: Float {
    @_noLocks @_noAllocation get { Float(glide.gain) / Self.unitsPerDecibel }
  }

  /// The gain in dB that is in force once the way there is over.
  public var gainAimedAt: Float {
    @_noLocks @_noAllocation get { Float(glide.aim) / Self.unitsPerDecibel }
  }

  /// Lowers one block in place.
  ///
  /// - Parameters:
  ///   - channels: a pointer to each channel's samples, as many as ``channelCount``.
  ///   - frameCount: frames in the block, 0 or more; may differ from block to block.
  @_noLocks @_noAllocation
  public mutating func process(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    var done = 0
    while done < frameCount {
      if offset == 0 { startStep() }
      let isSteady = canRest
      let count = isSteady ? frameCount - done : min(stepFrames - offset, frameCount - done)
      for channel in 0..<channelCount {
        if slope == 0 {
          Self.scale(channels[channel] + done, count: count, by: ratio)
        } else {
          let samples = channels[channel] + done
          SampleGuard.amplify(
            samples, to: samples, count: count, from: ratio, slope: slope, offset: offset)
        }
      }
      done += count
      offset += count
      if isSteady {
        offset &= stepFrames - 1
      } else if offset == stepFrames {
        finishStep()
      }
    }
  }

  /// Forgets what was: the next frame counts as the first.
  @_noLocks @_noAllocation
  public mutating func reset() {
    hasBegun = false
    offset = 0
    heldSteps = 0
  }
}

extension OtherAudioDucker {
  /// How long the way down takes, in seconds.
  public static var attackTime: Double { 0.050 }

  /// How long a voice that has fallen silent still counts, in seconds.
  public static var holdTime: Double { 0.400 }

  /// How long the way up takes, in seconds.
  public static var releaseTime: Double { 0.800 }

  private static var unitsPerDecibel: Float {
    @_noLocks @_noAllocation @inline(__always) get { 1_000_000 }
  }

  /// 20 · log10(2): the dB of an octave of amplitude.
  private static var decibelsPerOctave: Float {
    @_noLocks @_noAllocation @inline(__always) get { 6.020_599_9 }
  }

  /// Whether nothing can change within the block.
  private var canRest: Bool {
    @_noLocks @_noAllocation @inline(__always) get {
      slope == 0 && glide.isAtRest && heldSteps == (isSomebodyTalking ? holdSteps : 0)
        && glide.aim == wantedGain
    }
  }

  /// Where the gain is to be, in units of the glide.
  private var wantedGain: Int64 {
    @_noLocks @_noAllocation @inline(__always) get {
      let amount = configuration.amount(whileSomebodyTalks: heldSteps > 0)
      return -Int64(amount * Double(Self.unitsPerDecibel))
    }
  }

  @_noLocks @_noAllocation
  private mutating func startStep() {
    if isSomebodyTalking {
      heldSteps = holdSteps
    } else if heldSteps > 0 {
      heldSteps -= 1
    }
    let wanted = wantedGain
    if !hasBegun {
      hasBegun = true
      glide.rest(at: wanted)
      ratio = Self.ratio(gain)
    }
    glide.head(for: wanted)
    guard !glide.isAtRest else {
      slope = 0
      return
    }
    glide.advance()
    slope = (Self.ratio(gain) - ratio) / Float(stepFrames)
  }

  @_noLocks @_noAllocation @inline(__always)
  private mutating func finishStep() {
    offset = 0
    guard slope != 0 else { return }
    ratio = Self.ratio(gain)
    slope = 0
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func ratio(_ decibels: Float) -> Float {
    Float4(repeating: decibels / decibelsPerOctave).powerOfTwo[0]
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func scale(
    _ samples: UnsafeMutablePointer<Float>, count: Int, by ratio: Float
  ) {
    var index = 0
    while index + 4 <= count {
      let raw = UnsafeMutableRawPointer(samples + index)
      raw.storeBytes(of: raw.loadUnaligned(as: Float4.self) * ratio, as: Float4.self)
      index += 4
    }
    while index < count {
      samples[index] *= ratio
      index += 1
    }
  }
}
