#if canImport(AVFAudio) && !os(macOS)
  public import AVFAudio
  internal import Foundation
  public import HearingDSP
  public import HearingProcessing

  extension AudioRoute.Kind {
    /// Determines the kind of an output device from its port type in the system's audio session.
    ///
    /// The system connects Made-for-iPhone hearing devices via Bluetooth Low Energy. Source:
    /// Apple's documentation of `AVAudioSession.Port.bluetoothLE`.
    public init(_ port: AVAudioSession.Port) {
      switch port {
      case .builtInSpeaker, .builtInReceiver: self = .speaker
      case .headphones, .lineOut, .usbAudio: self = .wired
      case .bluetoothA2DP, .bluetoothHFP: self = .bluetooth
      case .bluetoothLE: self = .hearingDevice
      case .airPlay: self = .airPlay
      case .carAudio: self = .car
      default: self = .other
      }
    }
  }

  extension AudioSessionFollower {
    /// Passes the current route of the system's audio session to this follower, and then observes
    /// the audio session.
    ///
    /// - Parameters:
    ///   - center: The notification center to which the audio session posts.
    ///   - calibration: Returns the calibration of an output device. The arguments are the kind and
    ///     the name of the device. By default, an RMS of 1.0 represents 100 dB SPL on every device.
    /// - Returns: A token that ends the observation when the token is released.
    public func observe(
      center: NotificationCenter = .default,
      calibration: @escaping @Sendable (AudioRoute.Kind, String) -> Calibration = { _, _ in
        Calibration()
      }
    ) -> ObservationToken {
      let enterRoute: @Sendable () -> Void = { [self] in
        guard let output = AVAudioSession.sharedInstance().currentRoute.outputs.first else {
          return
        }
        let kind = AudioRoute.Kind(output.portType)
        let calibration = calibration(kind, output.portName)
        handle(.routeChanged(AudioRoute(kind, name: output.portName, calibration: calibration)))
      }
      let handlers: KeyValuePairs<Notification.Name, @Sendable (Notification) -> Void> = [
        AVAudioSession.routeChangeNotification: { _ in enterRoute() },
        AVAudioSession.interruptionNotification: { [self] notification in
          let value = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
          switch value.flatMap(AVAudioSession.InterruptionType.init(rawValue:)) {
          case .began: handle(.interruptionBegan)
          case .ended: handle(.interruptionEnded)
          default: break
          }
        },
        AVAudioSession.mediaServicesWereResetNotification: { [self] _ in
          handle(.mediaServicesReset)
        },
      ]
      // Unsafe: observers are only passed back to the notification center, which is thread-safe.
      nonisolated(unsafe) let observers = handlers.map { name, handler in
        center.addObserver(forName: name, object: nil, queue: nil, using: handler)
      }
      enterRoute()
      return ObservationToken {
        for observer in unsafe observers { center.removeObserver(observer) }
      }
    }
  }
#endif
