/// Compares the errors of the two filters and decides which one fits the room.
struct PathComparison {
  /// What to do after a block.
  enum Decision {
    /// Nothing.
    case none
    /// The shadow filter has been better for long enough, perhaps after a change of the room:
    /// exchange the two.
    case exchange
    /// The new filter is not clearly better: exchange them back.
    case restore
    /// The shadow filter is clearly worse: restart it from the room filter.
    case copy
  }

  /// Smoothed energies of a block of the microphone and of the two filters' errors.
  private(set) var microphone: Float = 0
  private(set) var room: Float = 0
  private(set) var shadow: Float = 0

  /// The smoothed energy of the room filter's echo.
  private var echo: Float = 0

  /// The energies of the microphone and of the room filter's error, smoothed over only two blocks.
  private var recentMicrophone: Float = 0
  private var recentRoom: Float = 0
  private var recentEcho: Float = 0

  /// Whether the room filter has clearly removed echo since it was new or exchanged.
  private var hasHelped = false

  /// Consecutive blocks in which the shadow filter was clearly better.
  private var betterBlocks = 0

  /// The remaining blocks of the trial after an exchange, and the energies of both errors since the
  /// exchange. The shadow filter does not adapt during the trial.
  private var trialBlocks = 0
  private var trialRoom: Float = 0
  private var trialShadow: Float = 0

  /// Measured blocks with sound from the loudspeaker, and their energies.
  private var calibrated = 0
  private var firstMicrophone: Float = 0
  private var firstReference: Float = 0

  init() {}

  /// The mean square below which the loudspeaker counts as silent: −80 dB.
  static let silenceThreshold: Float = 1e-8

  /// Whether the room filter adds more than it removes.
  ///
  /// Near talk that is clearly louder than the echo may by chance cancel a part of the echo. The
  /// error of a correct filter then has more energy than the microphone. Therefore such near talk
  /// is no evidence against a filter that has helped before.
  var roomHarms: Bool {
    @inline(__always) get {
      let minimumRatio = hasHelped ? Self.minimumEchoRatio : 0
      return (room > microphone && echo > minimumRatio * microphone)
        || (recentRoom > 1.25 * recentMicrophone && recentEcho > minimumRatio * recentMicrophone)
    }
  }

  /// The minimum ratio of the filter's echo to the microphone's energy that is evidence for or
  /// against the filter. At this ratio, near talk is at most 4 dB louder than the echo.
  private static let minimumEchoRatio: Float = 0.4

  /// Whether the room filter clearly removes echo.
  var roomHelps: Bool {
    @inline(__always) get {
      room < 0.7 * microphone && recentRoom < 0.7 * recentMicrophone
    }
  }

  /// Whether the gain from loudspeaker to microphone has been measured.
  @inline(__always)
  func isCalibrated(_ plan: EchoPlan) -> Bool { calibrated >= plan.calibrationBlocks }

  /// Adds the energies of a block and returns the decision.
  ///
  /// - Parameters:
  ///   - echo: The room filter's echo.
  ///   - room: The microphone without that echo.
  ///   - shadow: The same for the shadow filter.
  mutating func add(
    microphone: Float, echo: Float, room: Float, shadow: Float, reference: Float, plan: EchoPlan
  ) -> Decision {
    let smoothing = plan.comparisonSmoothing
    self.microphone = smoothing * self.microphone + (1 - smoothing) * microphone + 1e-20
    self.room = smoothing * self.room + (1 - smoothing) * room + 1e-20
    self.shadow = smoothing * self.shadow + (1 - smoothing) * shadow + 1e-20
    self.echo = smoothing * self.echo + (1 - smoothing) * echo + 1e-20
    recentEcho = 0.6 * recentEcho + 0.4 * echo + 1e-20
    recentMicrophone = 0.6 * recentMicrophone + 0.4 * microphone + 1e-20
    recentRoom = 0.6 * recentRoom + 0.4 * room + 1e-20
    if roomHelps { hasHelped = true }
    let isHeard = reference > Self.silenceThreshold * Float(plan.block)
    if trialBlocks > 0 {
      return isHeard ? continueTrial(room: room, shadow: shadow, plan: plan) : .none
    }
    betterBlocks = isHeard && self.shadow < 0.5 * self.room ? betterBlocks + 1 : 0
    if betterBlocks >= plan.takeoverBlocks {
      betterBlocks = 0
      hasHelped = false
      swap(&self.room, &self.shadow)
      trialBlocks = plan.trialBlocks
      trialRoom = 0
      trialShadow = 0
      return .exchange
    }
    if self.room < 0.5 * self.shadow {
      self.shadow = self.room
      return .copy
    }
    return .none
  }

  /// Whether the exchanged filters are on trial, so the shadow filter must not adapt.
  var isOnTrial: Bool {
    @inline(__always) get { trialBlocks > 0 }
  }

  /// Adds the energies of a block during the trial.
  ///
  /// A vowel of the near talker that resembles the far voice looks like a change of the room, and
  /// the shadow filter adapts to it. The sounds that follow reveal the error.
  private mutating func continueTrial(room: Float, shadow: Float, plan: EchoPlan) -> Decision {
    trialBlocks -= 1
    trialRoom += room
    trialShadow += shadow
    if plan.trialBlocks - trialBlocks > plan.takeoverBlocks && trialRoom > 0.9 * trialShadow {
      trialBlocks = 0
      self.room = self.shadow
      return .restore
    }
    guard trialBlocks == 0 else { return .none }
    if trialRoom < 0.7 * trialShadow {
      self.shadow = self.room
      return .copy
    }
    self.room = self.shadow
    return .restore
  }

  /// Measures the power gain from loudspeaker to microphone during the first blocks.
  ///
  /// - Returns: The gain so far; nil after that time.
  mutating func calibrate(microphone: Float, reference: Float, plan: EchoPlan) -> Float? {
    guard calibrated < plan.calibrationBlocks,
      reference > Self.silenceThreshold * Float(plan.block)
    else { return nil }
    calibrated += 1
    firstMicrophone += microphone
    firstReference += reference
    return firstMicrophone / firstReference
  }
}
