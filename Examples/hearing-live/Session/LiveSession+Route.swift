import HearingAudio
import HearingDSP
import HearingProcessing
import Synchronization

extension LiveSession {
  /// Why the sound did not take another route.
  enum RouteRefusal: Error, CustomStringConvertible {
    case anotherIsBeingEntered
    case fullScaleTooLow(permitted: ClosedRange<Double>)

    var description: String {
      switch self {
      case .anotherIsBeingEntered: "another route is being entered"
      case .fullScaleTooLow(let range):
        "integers need a full scale of \(Int(range.lowerBound)) to \(Int(range.upperBound)) dB SPL"
      }
    }
  }

  /// Lets the sound take another route, with the ceiling that its full scale leaves the samples.
  ///
  /// A lower ceiling is in force before the route is entered, a higher one after that.
  ///
  /// - Parameter settled: Called once, on some thread: whether the session is interrupted now.
  func enter(_ route: AudioRoute, settled: @escaping @Sendable (Result<Bool, any Error>) -> Void) {
    let fullScale = route.calibration.fullScaleSPL
    guard format.fullScales.contains(fullScale) else {
      return settled(.failure(RouteRefusal.fullScaleTooLow(permitted: format.fullScales)))
    }
    guard !isEntering.exchange(true, ordering: .acquiringAndReleasing) else {
      return settled(.failure(RouteRefusal.anotherIsBeingEntered))
    }
    let finish: @Sendable (Result<Bool, any Error>) -> Void = { [self] result in
      isEntering.store(false, ordering: .releasing)
      settled(result)
    }
    let previous = presets.fullScaleSPL
    let old = presets.carriedOutput(fullScaleSPL: previous)
    let new = presets.carriedOutput(fullScaleSPL: fullScale)
    if new < old {
      presets.fullScaleSPL = fullScale
      presets.applyAgain { [self] result in
        switch result {
        case .success:
          log.warnOfCeiling(new, format, below: presets.listener)
          follow(route) { finish($0.mapError { $0 }) }
        case .failure(let error):
          presets.fullScaleSPL = previous
          finish(.failure(error))
        }
      }
    } else {
      follow(route) { [self] entered in
        presets.fullScaleSPL = fullScale
        guard new > old else { return finish(entered.mapError { $0 }) }
        presets.applyAgain { result in
          switch result {
          case .success: finish(entered.mapError { $0 })
          case .failure(let error): finish(.failure(error))
          }
        }
      }
    }
  }

  private func follow(
    _ route: AudioRoute, settled: @escaping @Sendable (Result<Bool, ProcessingError>) -> Void
  ) {
    log.tell(
      "route", ["kind": route.kind.rawValue, "fullScaleSPL": route.calibration.fullScaleSPL])
    follower.enter(route).whenSettled(settled)
  }
}
