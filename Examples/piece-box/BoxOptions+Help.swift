import HearingFitting

extension BoxOptions {
  /// What `--help` prints.
  static var help: String {
    """
    Keeps pieces of music in a folder, from which other applications can open them.

      piece-box drop IN.wav --title TITLE [options]   prints the piece's identifier
      piece-box list
      piece-box show ID
      piece-box open URL                              such as ah-piece-box://piece/ID
      piece-box export ID OUT.wav

    What can be said of a piece that is dropped:

      --title TITLE            1 to 200 characters
      --tempo BPM              1 to 999.999, if it is fixed
      --loop START END         in seconds; "end" for the end of the piece
      --time-signature N/M     such as 6/8; N 1 to 16, M 2, 4, 8 or 16
      --root 0…11              semitones above C, with
      --scale major|minor      the scale on it; or
      --atonal                 no tonality
      --based-on ID,ID,…       the pieces that it was made from
      --cover FILE             a picture of 640 × 640 pixels, PNG or JPEG
      --attachment FILE        anything of up to 30 MB
      --attachment-type TYPE   what it is; default: application/octet-stream
      --audiogram A            render the preview for \(Audiogram.standards.map(\.name).joined(separator: " "))
                               or the listener in a file; the mix stem stays as it is

    And always:

      --library DIR            the folder; default: ./pieces
      --app-id ID              the application's identifier; default: piece-box
      --api-key KEY            its key; a folder takes any
      --format wav             with export: how the mix stem is written
      --help                   print this

    Exit codes: 64 wrong use, 65 wrong data, 66 no input, 73 and 74 output cannot be written.

    """
  }
}
