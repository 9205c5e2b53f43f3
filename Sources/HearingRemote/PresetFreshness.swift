public import Foundation

/// The origin (server or cache) and the age of the last preset that an ``HTTPPresetSource`` loaded.
public enum PresetFreshness: Sendable {
  /// No preset was loaded since the source was created, or since the last call of `clearCache()`.
  case unknown
  /// The server sent or confirmed the preset at the time `since`. If the preset could not be
  /// cached, `cacheFailure` is the error.
  case current(since: Date, cacheFailure: (any Error)?)
  /// There is no preset. At the time `since`, the server answered that the listener has no preset,
  /// or a call of `clearCache()` failed. If the cached preset could not be removed, `cacheFailure`
  /// is the error.
  case none(since: Date, cacheFailure: (any Error)?)
  /// The preset comes from the cache. The server sent or confirmed this preset at the time `since`.
  /// The load from the server failed with the error `because`.
  case cached(since: Date, because: HTTPPresetError)

  /// The associated value `since`, or nil for ``unknown``.
  public var confirmed: Date? {
    switch self {
    case .unknown: nil
    case .current(let date, _), .none(let date, _), .cached(let date, _): date
    }
  }

  /// The time in seconds from ``confirmed`` to `now`. Nil for ``unknown``.
  public func age(at now: Date = Date()) -> Double? {
    confirmed.map { max(0, now.timeIntervalSince($0)) }
  }
}
