#if canImport(os)
  public import os

  extension TraceEvent {
    /// Writes the event to the log as private data. An event with a failure is logged at the level
    /// `error`. Every other event is logged at the level `debug`.
    ///
    ///     let logger = Logger(subsystem: "com.example.app", category: "hearing")
    ///     controller.trace = { $0.log(to: logger) }
    public func log(to logger: Logger) {
      let line = description
      if failure == nil {
        logger.debug("\(line, privacy: .private)")
      } else {
        logger.error("\(line, privacy: .private)")
      }
    }
  }
#endif
