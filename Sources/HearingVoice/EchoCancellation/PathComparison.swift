/// Compares the errors of two adaptive filters, the room filter and the shadow filter, and decides
/// which filter fits the room better.
struct PathComparison {
  /// The action that the comparison requires after a block.
  enum Decision {
    /// No action.
    case none
    /// Exchange the two filters. The shadow filter has had a smaller error for 30 ms, perhaps
    /// because the room has changed.
    case exchange
    /// Exchange the two filters back. During the trial, the new room filter was not clearly better
    /// than the old room filter.
    case restore
    /// Copy the room filter to the shadow filter. The error of the shadow filter is clearly larger.
    case copy
  }

  /// The energy of the microphone signal in a block, smoothed over 50 ms.
  private(set) var microphone: Float = 0
  /// The energy of the room filter's error in a block, smoothed over 50 ms.
  private(set) var room: Float = 0
  /// The energy of the shadow filter's error in a block, smoothed over 50 ms.
  private(set) var shadow: Float = 0

  /// The energy of the room filter's echo estimate in a block, smoothed over 50 ms.
  private var echo: Float = 0

  /// The energy of the microphone signal in a block, smoothed over about two blocks.
  private var recentMicrophone: Float = 0
  /// The energy of the room filter's error in a block, smoothed over about two blocks.
  private var recentRoom: Float = 0
  /// The energy of the room filter's echo estimate in a block, smoothed over about two blocks.
  private var recentEcho: Float = 0

  /// Whether `roomHelps` has been true at least once since the last reset or exchange.
  private(set) var hasHelped = false

  /// The number of consecutive blocks in which the shadow filter had a clearly smaller error than
  /// the room filter.
  private var betterBlocks = 0

  /// The number of remaining blocks of the current trial, or 0 if no trial is in progress. A trial
  /// follows an exchange of the filters. The shadow filter does not adapt during a trial.
  private var trialBlocks = 0
  /// The energy of the room filter's error since the start of the trial.
  private var trialRoom: Float = 0
  /// The energy of the shadow filter's error since the start of the trial.
  private var trialShadow: Float = 0

  /// Playback with a mean square below this value counts as silence: −80 dBFS.
  static let silenceThreshold: Float = 1e-8

  /// Whether the subtraction of the room filter's echo estimate increases the energy of the signal.
  ///
  /// Near-end speech that is clearly louder than the echo may cancel a part of the echo by chance.
  /// With loud near-end speech, even the error of a correct filter can have more energy than the
  /// microphone signal. Therefore a block with loud near-end speech is no evidence against a filter
  /// that has clearly removed echo before.
  var roomHarms: Bool {
    let minimumRatio = hasHelped ? Self.minimumEchoRatio : 0
    return (room > microphone && echo > minimumRatio * microphone)
      || (recentRoom > 1.25 * recentMicrophone && recentEcho > minimumRatio * recentMicrophone)
  }

  /// The minimum ratio of the echo estimate's energy to the energy of the microphone signal. Blocks
  /// with a lower ratio are no evidence against a filter that has clearly removed echo before. At
  /// the minimum ratio, the microphone signal is 4 dB louder than the echo estimate.
  private static let minimumEchoRatio: Float = 0.4

  /// Whether the error of the room filter has less than 70 % of the microphone signal's energy.
  var roomHelps: Bool {
    room < 0.7 * microphone && recentRoom < 0.7 * recentMicrophone
  }

  /// Adds the energies of a block and returns the decision.
  ///
  /// - Parameters:
  ///   - echo: The energy of the room filter's echo estimate.
  ///   - room: The energy of the room filter's error.
  ///   - shadow: The energy of the shadow filter's error.
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
      (betterBlocks, hasHelped) = (0, false)
      swap(&self.room, &self.shadow)
      (trialBlocks, trialRoom, trialShadow) = (plan.trialBlocks, 0, 0)
      return .exchange
    }
    if self.room < 0.5 * self.shadow {
      self.shadow = self.room
      return .copy
    }
    return .none
  }

  /// Whether a trial of the exchanged filters is in progress. The shadow filter must not adapt
  /// during a trial.
  var isOnTrial: Bool { trialBlocks > 0 }

  /// Adds the energies of a block during the trial.
  ///
  /// A vowel of the near talker may resemble the far voice. In this case, the shadow filter adapts
  /// to the vowel, as if the room had changed. The speech after the vowel shows that the room has
  /// not changed.
  private mutating func continueTrial(room: Float, shadow: Float, plan: EchoPlan) -> Decision {
    trialBlocks -= 1
    trialRoom += room
    trialShadow += shadow
    let isWorse = trialRoom > 0.9 * trialShadow
    if isWorse && plan.trialBlocks - trialBlocks > plan.takeoverBlocks { trialBlocks = 0 }
    guard trialBlocks == 0 else { return .none }
    if trialRoom < 0.7 * trialShadow {
      self.shadow = self.room
      return .copy
    }
    self.room = self.shadow
    return .restore
  }
}
