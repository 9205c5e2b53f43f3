internal import Foundation

#if canImport(AVFAudio)
  internal import AVFAudio
  internal import CoreAudioTypes

  /// Converts audio files between WAV and AAC with AVFAudio.
  enum SoundConversion {
    private static let blockFrameCount: AVAudioFrameCount = 4_096

    /// The formats into which a file of the format `format` can be converted.
    static func formats(from format: PieceAudioFormat) -> [PieceAudioFormat] {
      switch format {
      case .wav: [.aac]
      case .aac: [.wav]
      default: []
      }
    }

    /// Writes a converted copy of an audio file. If an error occurs, no copy remains.
    static func convert(_ source: URL, to copy: URL, _ format: PieceAudioFormat) throws {
      do {
        let input = try AVAudioFile(forReading: source)
        let sound = input.processingFormat
        var settings: [String: Any] = [
          AVFormatIDKey: format == .aac ? kAudioFormatMPEG4AAC : kAudioFormatLinearPCM,
          AVSampleRateKey: sound.sampleRate, AVNumberOfChannelsKey: sound.channelCount,
        ]
        if format == .wav {
          settings[AVLinearPCMBitDepthKey] = 32
          settings[AVLinearPCMIsFloatKey] = true
        }
        let output = try AVAudioFile(forWriting: copy, settings: settings)
        guard let block = AVAudioPCMBuffer(pcmFormat: sound, frameCapacity: blockFrameCount) else {
          throw CocoaError(.fileReadUnknown)
        }
        while input.framePosition < input.length {
          try Task.checkCancellation()
          try input.read(into: block)
          if block.frameLength == 0 { break }
          try output.write(from: block)
        }
      } catch {
        try? FileManager.default.removeItem(at: copy)
        throw error
      }
    }
  }
#else
  /// A replacement for platforms without AVFAudio. On these platforms, no format can be converted.
  enum SoundConversion {
    static func formats(from format: PieceAudioFormat) -> [PieceAudioFormat] { [] }

    static func convert(_ source: URL, to copy: URL, _ format: PieceAudioFormat) throws {
      preconditionFailure("nothing converts \(source.lastPathComponent) to \(format)")
    }
  }
#endif
