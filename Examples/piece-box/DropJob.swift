import ExampleSupport
import Foundation
import HearingAudio
import HearingPieces
import HearingFitting
import HearingProcessing

/// Drops a sound file into a library (adds it as a piece). An app does the same with music that the
/// app has rendered.
struct DropJob {
  private let options: DropOptions
  private let exchange: PieceExchange
  private let library: String

  init(_ options: DropOptions, exchange: PieceExchange, library: String) {
    self.options = options
    self.exchange = exchange
    self.library = library
  }

  /// Drops the file. SIGINT, SIGTERM and SIGHUP cancel the drop.
  func run() async throws(CommandFailure) -> Piece {
    let metadata = try metadata()
    let bar = ProgressBar()
    defer { bar.finish() }
    let drop = exchange.drop(
      metadata, renderer: try renderer(), progress: { _, fraction in bar.show(fraction: fraction) })
    StopSignals.watch { drop.cancel() }
    do {
      return try await drop.result.get()
    } catch let error as DropError {
      throw CommandFailure(error, dropping: options, library: library)
    } catch {
      throw .badData(input: options.input, reason: "\(error)")
    }
  }

  private func metadata() throws(CommandFailure) -> PieceMetadata {
    let length = try length()
    let start = options.loop.map { microseconds($0.start) }
    let end = options.loop?.end.map(microseconds) ?? length
    if start != nil, end == nil {
      throw .usage(
        .invalidValue(option: "--loop", reason: "the end of a compressed file must be stated"))
    }
    do throws(PieceMetadata.Invalid) {
      var loop: LoopMarkers?
      if let start, let end { loop = try LoopMarkers(start: start, end: end) }
      return try PieceMetadata(
        title: options.title, length: length, tempo: options.tempo, loop: loop,
        timeSignature: options.timeSignature, basedOn: options.basedOn,
        tonality: options.tonality)
    } catch {
      throw failure(error)
    }
  }

  /// Converts an error about metadata. An invalid length is an error in the file. Any other error
  /// is an error in an option.
  private func failure(_ error: PieceMetadata.Invalid) -> CommandFailure {
    switch error {
    case .lengthOutOfRange: .badData(input: options.input, reason: error.description)
    case .emptyTitle, .titleTooLong, .controlCharacterInTitle:
      .usage(.invalidValue(option: "--title", reason: error.reason))
    case .tempoOutOfRange: .usage(.invalidValue(option: "--tempo", reason: error.reason))
    case .loopBeyondLength, .negativeLoopStart, .loopStartNotBeforeEnd:
      .usage(.invalidValue(option: "--loop", reason: error.reason))
    case .beatsOutOfRange, .unknownNoteValue:
      .usage(.invalidValue(option: "--time-signature", reason: error.reason))
    case .tooManyOrigins, .repeatedOrigin:
      .usage(.invalidValue(option: "--based-on", reason: error.reason))
    }
  }

  private func microseconds(_ seconds: Double) -> Int64 {
    Int64((seconds * 1_000_000).rounded())
  }

  /// The length of a WAV file in microseconds; nil for a compressed file. The drop itself reads the
  /// length of a compressed file.
  private func length() throws(CommandFailure) -> Int64? {
    try InputFile(options.input).checkIsRegular()
    let reader: WAVReader
    do {
      reader = try WAVReader(path: options.input)
    } catch .notWAV where isCompressed(options.input) {
      return nil
    } catch {
      throw CommandFailure(error, reading: options.input)
    }
    guard let frameCount = reader.frameCount else {
      preconditionFailure("regular file without a length: \(options.input)")
    }
    return PieceMetadata.microseconds(
      frameCount: frameCount, sampleRate: reader.format.sampleRate)
  }

  private func isCompressed(_ path: String) -> Bool {
    let file = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    let head = (try? file?.read(upToCount: 8)) ?? Data()
    return head.starts(with: "OggS".utf8) || head.dropFirst(4).starts(with: "ftyp".utf8)
  }

  private func renderer() throws(CommandFailure) -> PieceRenderer {
    let mixStem = URL(fileURLWithPath: options.input)
    var renderer = PieceRenderer { .file(mixStem) }
    renderer.dropWarning = { part, problem in
      let effect = part == .coverImage ? "; the piece has no cover" : ""
      Command.warn("piece-box: the \(part): \(problem)\(effect)")
    }
    if let path = options.cover {
      let url = try existing(path)
      renderer.coverImage = { .file(url) }
      // Images are not scaled here. Therefore a drop fails if the cover does not have the required
      // size.
      renderer.scaleCoverImage = { $0 }
    }
    if let path = options.attachment {
      let url = try existing(path)
      let type = options.attachmentType
      renderer.attachment = { PieceAttachment(.file(url), type: type) }
    }
    if let audiogram = options.audiogram {
      let profile = try HearingProfile(argument: audiogram)
      profile.printWarnings(about: audiogram, by: "piece-box")
      do {
        let preset = try Fitting.techLevel(2).preset(for: profile)
        renderer.preview = .personalised(PersonalisedPreview(preset: preset))
      } catch {
        throw .badData(input: audiogram, reason: "\(error)")
      }
    }
    return renderer
  }

  private func existing(_ path: String) throws(CommandFailure) -> URL {
    try InputFile(path).checkExistence()
    return URL(fileURLWithPath: path)
  }
}
