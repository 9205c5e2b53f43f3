/// Compares the errors of the two filters and decides which one fits the room.
struct PathComparison {
  /// What to do after a block.
  enum Verdict {
    /// Nothing.
    case none
    /// The shadow filter has been better for long enough, perhaps after a change of the room:
    /// exchange the two.
    case change
    /// The exchange has turned out worse: exchange them back.
    case changeBack
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
  private var lateMicrophone: Float = 0
  private var lateRoom: Float = 0
  private var lateEcho: Float = 0

  /// Whether the room filter has clearly removed echo since it was new or exchanged.
  private var hasHelped = false

  /// Blocks in a row in which the shadow filter was clearly better.
  private var proof = 0

  /// The remaining blocks of probation after an exchange, and the energies of both errors since the
  /// exchange. The shadow filter does not adapt during probation.
  private var probation = 0
  private var probationRoom: Float = 0
  private var probationShadow: Float = 0

  /// Measured blocks with sound from the loudspeaker, and their energies.
  private var calibrated = 0
  private var firstMicrophone: Float = 0
  private var firstReference: Float = 0

  init() {}

  /// The mean square below which the loudspeaker counts as silent: −80 dB.
  static let quiet: Float = 1e-8

  /// Whether the room filter adds more than it removes.
  ///
  /// Near talk that is clearly louder than the echo may by chance cancel a part of the echo. The
  /// error of a correct filter then has more energy than the microphone. Therefore such near talk
  /// is no evidence against a filter that has helped before.
  var roomHarms: Bool {
    @inline(__always) get {
      let least = hasHelped ? Self.telling : 0
      return (room > microphone && echo > least * microphone)
        || (lateRoom > 1.25 * lateMicrophone && lateEcho > least * lateMicrophone)
    }
  }

  /// The smallest share of the filter's echo in the microphone's energy that is evidence for or
  /// against the filter. At this share, near talk is at most 4 dB louder than the echo.
  private static let telling: Float = 0.4

  /// Whether the room filter clearly removes echo.
  var roomHelps: Bool {
    @inline(__always) get {
      room < 0.7 * microphone && lateRoom < 0.7 * lateMicrophone
    }
  }

  /// Whether the gain from loudspeaker to microphone has been measured.
  @inline(__always)
  func isCalibrated(_ plan: EchoPlan) -> Bool { calibrated >= plan.calibrating }

  /// Adds the energies of a block and returns the verdict.
  ///
  /// - Parameters:
  ///   - echo: The room filter's echo.
  ///   - room: The microphone without that echo.
  ///   - shadow: The same for the shadow filter.
  mutating func take(
    microphone: Float, echo: Float, room: Float, shadow: Float, reference: Float, plan: EchoPlan
  ) -> Verdict {
    let keep = plan.comparing
    self.microphone = keep * self.microphone + (1 - keep) * microphone + 1e-20
    self.room = keep * self.room + (1 - keep) * room + 1e-20
    self.shadow = keep * self.shadow + (1 - keep) * shadow + 1e-20
    self.echo = keep * self.echo + (1 - keep) * echo + 1e-20
    lateEcho = 0.6 * lateEcho + 0.4 * echo + 1e-20
    lateMicrophone = 0.6 * lateMicrophone + 0.4 * microphone + 1e-20
    lateRoom = 0.6 * lateRoom + 0.4 * room + 1e-20
    if roomHelps { hasHelped = true }
    let isHeard = reference > Self.quiet * Float(plan.block)
    if probation > 0 { return isHeard ? judge(room: room, shadow: shadow, plan: plan) : .none }
    proof = isHeard && self.shadow < 0.5 * self.room ? proof + 1 : 0
    if proof >= plan.proof {
      proof = 0
      hasHelped = false
      swap(&self.room, &self.shadow)
      probation = plan.probation
      probationRoom = 0
      probationShadow = 0
      return .change
    }
    if self.room < 0.5 * self.shadow {
      self.shadow = self.room
      return .copy
    }
    return .none
  }

  /// Whether an exchange is on probation, so the shadow filter must not adapt.
  var isOnProbation: Bool {
    @inline(__always) get { probation > 0 }
  }

  /// Adds the energies of a block during probation.
  ///
  /// A vowel of the near talker that resembles the far voice looks like a change of the room, and
  /// the shadow filter adapts to it. The sounds that follow reveal the error.
  private mutating func judge(room: Float, shadow: Float, plan: EchoPlan) -> Verdict {
    probation -= 1
    probationRoom += room
    probationShadow += shadow
    if plan.probation - probation > plan.proof && probationRoom > 0.9 * probationShadow {
      probation = 0
      self.room = self.shadow
      return .changeBack
    }
    guard probation == 0 else { return .none }
    if probationRoom < 0.7 * probationShadow {
      self.shadow = self.room
      return .copy
    }
    self.room = self.shadow
    return .changeBack
  }

  /// Measures the power gain from loudspeaker to microphone during the first blocks.
  ///
  /// - Returns: The gain so far; nil after that time.
  mutating func calibrate(microphone: Float, reference: Float, plan: EchoPlan) -> Float? {
    guard calibrated < plan.calibrating, reference > Self.quiet * Float(plan.block) else {
      return nil
    }
    calibrated += 1
    firstMicrophone += microphone
    firstReference += reference
    return firstMicrophone / firstReference
  }
}
