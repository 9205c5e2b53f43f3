/// Compares what the two filters leave of the microphone, and decides which one knows the room.
struct PathComparison {
  /// What follows from a block.
  enum Verdict {
    /// The filters go on as they are.
    case none
    /// The shadow filter has proved better: the room may have changed, and the two change places.
    case change
    /// What came of that is worse than what was there before: they change places again.
    case changeBack
    /// The shadow filter is no use as it is, and starts again from the room filter.
    case copy
  }

  /// Smoothed energies of a block of the microphone and of what either filter leaves of it.
  private(set) var microphone: Float = 0
  private(set) var room: Float = 0
  private(set) var shadow: Float = 0

  /// The same for the microphone and the room filter, smoothed over two blocks only.
  private var lateMicrophone: Float = 0
  private var lateRoom: Float = 0

  /// Blocks in a row in which the shadow filter was clearly better.
  private var proof = 0

  /// Blocks of probation that are left after a change, and what the two filters have left of the
  /// microphone meanwhile; the one in the shadow's place does not learn.
  private var probation = 0
  private var probationRoom: Float = 0
  private var probationShadow: Float = 0

  /// Blocks with sound from the loudspeaker that have been measured, and their energies.
  private var calibrated = 0
  private var firstMicrophone: Float = 0
  private var firstReference: Float = 0

  @_noLocks @_noAllocation
  init() {}

  /// A block's energy over its length below which the loudspeaker counts as silent: −80 dB.
  static var quiet: Float {
    @_noLocks @_noAllocation @inline(__always) get { 1e-8 }
  }

  /// Whether the room filter adds more than it takes away.
  var roomHarms: Bool {
    @_noLocks @_noAllocation @inline(__always) get {
      room > microphone || lateRoom > 1.25 * lateMicrophone
    }
  }

  /// Whether it clearly takes away.
  var roomHelps: Bool {
    @_noLocks @_noAllocation @inline(__always) get {
      room < 0.7 * microphone && lateRoom < 0.7 * lateMicrophone
    }
  }

  /// Whether the gain from loudspeaker to microphone has been measured.
  @_noLocks @_noAllocation @inline(__always)
  func isCalibrated(_ plan: EchoPlan) -> Bool { calibrated >= plan.calibrating }

  /// Takes in the energies of a block.
  @_noLocks @_noAllocation
  mutating func take(
    microphone: Float, room: Float, shadow: Float, reference: Float, plan: EchoPlan
  ) -> Verdict {
    let keep = plan.comparing
    self.microphone = keep * self.microphone + (1 - keep) * microphone + 1e-20
    self.room = keep * self.room + (1 - keep) * room + 1e-20
    self.shadow = keep * self.shadow + (1 - keep) * shadow + 1e-20
    lateMicrophone = 0.6 * lateMicrophone + 0.4 * microphone + 1e-20
    lateRoom = 0.6 * lateRoom + 0.4 * room + 1e-20
    let isHeard = reference > Self.quiet * Float(plan.block)
    if probation > 0 { return isHeard ? judge(room: room, shadow: shadow, plan: plan) : .none }
    proof = isHeard && self.shadow < 0.5 * self.room ? proof + 1 : 0
    if proof >= plan.proof {
      proof = 0
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

  /// Whether the filters compare each other after a change, and the shadow filter rests.
  var isOnProbation: Bool {
    @_noLocks @_noAllocation @inline(__always) get { probation > 0 }
  }

  /// Takes in the energies of a block on probation.
  ///
  /// Near talk that resembles the far voice for the length of a vowel looks like another room: the
  /// shadow filter follows it. With the next sounds that comes to light.
  @_noLocks @_noAllocation
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

  /// Measures how loud the loudspeaker is at the microphone, at first.
  ///
  /// - Returns: the gain in power as it is known so far; nil once that is over.
  @_noLocks @_noAllocation
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
