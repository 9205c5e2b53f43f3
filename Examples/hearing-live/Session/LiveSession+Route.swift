import ExampleSupport
import HearingAudio
import HearingDSP
import HearingProcessing
import Synchronization

extension LiveSession {
  /// The reason why a change of route is refused.
  enum RouteRefusal: Error, CustomStringConvertible {
    case changeUnderWay
    case fullScaleTooLow(permitted: ClosedRange<Double>)

    var description: String {
      switch self {
      case .changeUnderWay: "another change of route is under way"
      case .fullScaleTooLow(let range):
        "integers need a full scale of \(ArgumentReader.text(of: range)) dB SPL"
      }
    }
  }

  /// Changes the audio route, and adapts the maximum output to the route's full-scale level.
  ///
  /// A lower maximum output is applied before the route changes. A higher maximum output is applied
  /// after the route has changed.
  ///
  /// - Parameter settled: Called once, on any thread. On success, its argument says whether the
  ///   session is now interrupted.
  func changeRoute(
    to route: AudioRoute, settled: @escaping @Sendable (Result<Bool, any Error>) -> Void
  ) {
    let fullScale = route.calibration.fullScaleSPL
    guard format.fullScales.contains(fullScale) else {
      return settled(.failure(RouteRefusal.fullScaleTooLow(permitted: format.fullScales)))
    }
    guard !isChangingRoute.exchange(true, ordering: .acquiringAndReleasing) else {
      return settled(.failure(RouteRefusal.changeUnderWay))
    }
    let finish: @Sendable (Result<Bool, any Error>) -> Void = { [self] result in
      isChangingRoute.store(false, ordering: .releasing)
      settled(result)
    }
    let previous = presets.fullScaleSPL
    let old = presets.representableOutput(fullScaleSPL: previous)
    let new = presets.representableOutput(fullScaleSPL: fullScale)
    if new < old {
      presets.fullScaleSPL = fullScale
      presets.applyAgain { [self] result in
        switch result {
        case .success:
          log.warnOfMaximumOutput(new, format, below: presets.listener)
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
    log.write(
      "route", ["kind": route.kind.rawValue, "fullScaleSPL": route.calibration.fullScaleSPL])
    follower.enter(route).whenSettled(settled)
  }
}
