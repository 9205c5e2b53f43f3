/// The ascending method of audiometry at one frequency.
///
/// The search starts at an audible level, and alternates between descents and ascents. In a
/// descent, the level falls in steps of 10 dB until the listener does not respond. In an ascent,
/// the level rises in steps of 5 dB until the listener responds. The threshold is the level at
/// which the listener responded in the required number of ascents. If the threshold is not
/// determined after the allowed number of ascents, the search restarts 10 dB above the level of the
/// last response.
///
/// The full method of ISO 8253-1:2010 (6.2.3) requires three responses in at most five ascents. The
/// shortened method requires two responses in at most three ascents. The source of the restart is
/// the recommended procedure of the British Society of Audiology (2018). The method is also
/// described by Carhart & Jerger, "Preferred method for clinical determination of pure-tone
/// thresholds", Journal of Speech and Hearing Disorders 24 (1959).
struct AscendingSearch: Sendable {
  /// The rule that determines the threshold. `required` is the required number of responses at the
  /// same level. `ascents` is the maximum number of ascents.
  struct Rule: Sendable, Hashable {
    let required: Int
    let ascents: Int

    static let full = Rule(required: 3, ascents: 5)
    static let shortened = Rule(required: 2, ascents: 3)
  }

  /// The result of a search.
  enum Outcome: Sendable, Hashable {
    case threshold(Int)
    /// The listener did not respond at the maximum level.
    case noResponse
    /// The answers contradict each other. The associated value is the median of the levels in dB HL
    /// at which the listener responded.
    case undecided(Int)
  }

  private enum Stage: Sendable {
    /// Searches for a level that the listener hears. The level falls in steps of 20 dB and rises in
    /// steps of 10 dB.
    case familiarisation(hasMissed: Bool, lastHeard: Int?)
    /// Raises the level in steps of 10 dB until the listener hears a tone.
    case rising
    case descending
    case ascending
    case done(Outcome)
  }

  /// The maximum number of rounds. A round consists of the allowed number of ascents. If no round
  /// determines the threshold, the search ends with the outcome `undecided`. In this case, the
  /// threshold is the median of the levels of the responses in the last round.
  private static let roundLimit = 2

  private let rule: Rule
  private let limit: Int
  private(set) var level: Int
  private var stage: Stage
  private var responses: [Int] = []
  private var rounds = 0
  private var missesAtLimit = 0

  /// Creates a search that starts at a level in dB HL. The level of a tone never exceeds `limit`.
  init(from level: Int, limit: Int, rule: Rule, familiarises: Bool = false) {
    self.rule = rule
    self.limit = limit
    self.level = min(max(level, SearchPlan.softestLevel), limit)
    stage = familiarises ? .familiarisation(hasMissed: false, lastHeard: nil) : .rising
  }

  /// The outcome of the search; nil while the search continues. While the search continues,
  /// ``level`` is the level of the next tone.
  var outcome: Outcome? {
    if case .done(let outcome) = stage { return outcome }
    return nil
  }

  /// Continues the search with the answer to a tone at a level in dB HL.
  mutating func learn(isHeard: Bool, at level: Int) {
    self.level = level
    if !isHeard, level == limit {
      missesAtLimit += 1
      if missesAtLimit >= rule.required - 1 { return finish(.noResponse) }
    }
    switch stage {
    case .familiarisation(let hasMissed, let lastHeard):
      familiarise(isHeard: isHeard, hasMissed: hasMissed, lastHeard: lastHeard)
    case .rising:
      if isHeard {
        descend()
      } else {
        go(to: level + 10, .rising)
      }
    case .descending:
      if !isHeard {
        go(to: level + 5, .ascending)
      } else if level == SearchPlan.softestLevel {
        respond()
      } else {
        descend()
      }
    case .ascending:
      if isHeard {
        respond()
      } else {
        go(to: level + 5, .ascending)
      }
    case .done:
      preconditionFailure("an answer after the search has ended")
    }
  }

  private mutating func familiarise(isHeard: Bool, hasMissed: Bool, lastHeard: Int?) {
    if isHeard {
      // Two responses in a row at the same level show that the listener understands the task.
      if lastHeard == level || level == SearchPlan.softestLevel { return descend() }
      go(
        to: hasMissed ? level : level - 20,
        .familiarisation(hasMissed: hasMissed, lastHeard: hasMissed ? level : nil))
    } else {
      go(to: level + 10, .familiarisation(hasMissed: true, lastHeard: nil))
    }
  }

  private mutating func descend() {
    go(to: level - 10, .descending)
  }

  /// Records a response of the listener. The response ends the ascent.
  private mutating func respond() {
    responses.append(level)
    if responses.count(where: { $0 == level }) >= rule.required {
      return finish(.threshold(level))
    }
    guard responses.count >= rule.ascents else { return descend() }
    rounds += 1
    guard rounds < Self.roundLimit else {
      return finish(.undecided(responses.sorted()[responses.count / 2]))
    }
    responses = []
    go(to: level + 10, .rising)
  }

  private mutating func go(to next: Int, _ stage: Stage) {
    level = min(max(next, SearchPlan.softestLevel), limit)
    self.stage = stage
  }

  private mutating func finish(_ outcome: Outcome) {
    stage = .done(outcome)
  }
}
