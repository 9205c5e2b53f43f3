#!/bin/sh
# Makes speech.wav in the current folder. Needs espeak-ng 1.51 and sox 14.4.2.
set -eu
espeak-ng -v en-gb -s 150 -w spoken.wav "She chose a fresh orange and weak tea. \
Five young girls sang beside the pool. \
The judge should measure both thick ropes. \
Which vision brought joy to the dark wood?"
sox -D spoken.wav -r 48000 -c 1 -b 16 speech.wav gain -3 rate -v gain -n -6
rm spoken.wav
