import HearingFitting

extension LiveOptions {
  /// What `--help` prints.
  static var help: String {
    """
    Processes raw PCM for a listener while it passes from standard input to standard output.

      hearing-live --rate 48000 --channels 2 --format f32le|s16le|u8 [options]

      arecord -t raw -f S16_LE -r 48000 -c 2 | hearing-live --rate 48000 --channels 2 \\
        --format s16le --audiogram N3 --control live | aplay -t raw -f S16_LE -r 48000 -c 2

    Sound is heard one slice after it came in. The first channel is the left ear's, the second the
    right ear's, any other nobody's. Without a listener the sound passes byte for byte.

      --rate HZ                8000 to 192000
      --channels N             1 to 8
      --format F               f32le, s16le or u8
      --audiogram A            \(Audiogram.standards.map(\.name).joined(separator: " ")) or a file
      --rule RULE              the prescription rule; default: the level-dependent one
      --preset FILE.json       a preset, in place of audiogram and rule
      --full-scale-spl DB      what an RMS of 1.0 stands for, 0 to 200, for integers 10 to 200;
                               default: 100 dB SPL
      --max-output-spl DB      the ceiling; default: 105 dB SPL, or the preset's own
      --slice FRAMES           frames at a time, 1 to 65536; default: 512
      --control PATH           take commands from a socket that is made at PATH, from a named pipe
                               that is there, or (PATH is -) from a named pipe that is made in the
                               temporary folder, and told of
      --events                 tell what happens, as lines of JSON on standard error
      --help                   print this

    Integers are held below the largest that there is, by the ceiling rather than by clipping, also
    after the full scale was changed.

    Commands, one a line; each line is answered with "ok", the line and what came of it, or "error",
    the line and the reason, as soon as the session has decided. From a pipe the answers go to
    standard error.

      intensity 0…1                                 the share of each gain in dB that is applied
      enabled on|off                                whether the sound is processed
      interrupt NAME, resolve NAME                  hold processing off, and no longer
      preset FILE                                   apply this preset
      rule NAME                                     prescribe anew
      delivery continuous|discrete SECONDS|latest   how intensity and enabled are delivered
      route KIND [FULL-SCALE-SPL]                   the sound takes another route: speaker, wired,
                                                    bluetooth, airplay, car, hearing-device, other
      levels                                        what is measured, as JSON

    Ends when the input ends, the output is closed, or on SIGINT: what has come in is written.
    Exit codes: 64 wrong use, 65 wrong data, 66 no input, 73 and 74 output cannot be written.

    """
  }
}
