/// Compares what the two filters leave of the microphone, and decides which one knows the room.
struct PathComparison {
  /// What follows from a block.
  enum Verdict {
    /// The filters go on as they are.
    case none
    /// The shadow filter has proved better: the room has changed.
    case shadowIsBetter
    /// The shadow filter has lost its way.
    case shadowIsWorse
  }

  /// Smoothed energies of a block of the microphone and of what either filter leaves of it.
  private(set) var microphone: Float = 0
  private(set) var room: Float = 0
  private(set) var shadow: Float = 0

  /// Blocks in a row in which the shadow filter was clearly better.
  private var proof = 0

  /// Blocks with sound from the loudspeaker that have been measured, and their energies.
  private var calibrated = 0
  private var firstMicrophone: Float = 0
  private var firstReference: Float = 0

  /// Nothing compared yet.
  @_noLocks @_noAllocation
  init() {}

  /// A block's energy over its length below which the loudspeaker counts as silent: −80 dB.
  static var quiet: Float {
    @_noLocks @_noAllocation @inline(__always) get { 1e-8 }
  }

  /// Whether the room filter adds more than it takes away.
  var roomHarms: Bool {
    @_noLocks @_noAllocation @inline(__always) get { room > microphone }
  }

  /// Whether it clearly takes away.
  var roomHelps: Bool {
    @_noLocks @_noAllocation @inline(__always) get { room < 0.7 * microphone }
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
    let isHeard = reference > Self.quiet * Float(plan.block)
    proof = isHeard && self.shadow < 0.5 * self.room ? proof + 1 : 0
    if proof >= plan.proof {
      proof = 0
      self.room = self.shadow
      return .shadowIsBetter
    }
    if self.room < 0.5 * self.shadow {
      self.shadow = self.room
      return .shadowIsWorse
    }
    return .none
  }

  /// Measures how loud the loudspeaker is at the microphone, at first.
  ///
  /// - Returns: by how much the doubt about the room can be scaled down, once and when that is known.
  @_noLocks @_noAllocation
  mutating func calibrate(microphone: Float, reference: Float, plan: EchoPlan) -> Float? {
    guard calibrated < plan.calibrating, reference > Self.quiet * Float(plan.block) else {
      return nil
    }
    calibrated += 1
    firstMicrophone += microphone
    firstReference += reference
    guard calibrated == plan.calibrating else { return nil }
    return max(1e-6, min(1, 8 * firstMicrophone / firstReference))
  }
}
