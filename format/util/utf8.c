// SPDX-License-Identifier: GPL-2.0-or-later
/* Recognizing well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF. */
#include "format/util/utf8.h"

#include <stdint.h>

size_t pa_utf8_char_len(const char *text, size_t len)
{
	static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
	const uint8_t *p = (const uint8_t *)text;
	uint32_t c;
	size_t n, i;

	if (len == 0)
		return 0;
	if (p[0] < 0x80)
		return 1;
	if (p[0] < 0xc0 || p[0] >= 0xf8)
		return 0;
	n = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	if (n > len)
		return 0;
	c = p[0] & (0x7fu >> n);
	for (i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3fu);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	return n;
}
