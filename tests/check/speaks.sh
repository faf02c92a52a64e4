#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The project speaks of itself: no paths of the machine that it was written on, no unfinished business.
. "$(dirname "$0")/common.sh"

# Written so that this file does not find itself.
words='/wor[k]/|Claud[e]|Anthropi[c]|\bA[I] |\bLL[M]\b|chatbo[t]|pyp[i]\.org|registr[y]\.npmjs|deb\.debian\.or[g]'
unfinished='\bTOD[O]\b|\bFIXM[E]\b|\bXX[X]\b|\bHAC[K]\b'
found=$(our_files | grep -Ev '\.(pa|gz|db)$|^LICENSE$' | xargs grep -InE "$words|$unfinished")
[ -z "$found" ] || violation "$found"
exit $status
