public import Foundation

/// How old the preset is that an ``HTTPPresetSource`` loaded last.
public enum PresetFreshness: Sendable {
  /// Nothing was loaded yet.
  case unknown
  /// The server sent or confirmed it at this time; `cacheFailure` says why it could not be cached,
  /// if so.
  case current(since: Date, cacheFailure: (any Error)?)
  /// There is no preset since this time: the server said so, or clearing the cache failed.
  /// `cacheFailure` says why the cached preset could not be removed, if so.
  case none(since: Date, cacheFailure: (any Error)?)
  /// It comes from the cache: the server sent or confirmed it at this time, and could not be asked
  /// now.
  case cached(since: Date, because: HTTPPresetError)

  /// When the server has sent or confirmed the preset, or said that there is none; nil if nothing
  /// was loaded.
  public var confirmed: Date? {
    switch self {
    case .unknown: nil
    case .current(let date, _), .none(let date, _), .cached(let date, _): date
    }
  }

  /// Seconds since the server has sent or confirmed the preset; nil if nothing was loaded.
  public func age(at now: Date = Date()) -> Double? {
    confirmed.map { max(0, now.timeIntervalSince($0)) }
  }
}
