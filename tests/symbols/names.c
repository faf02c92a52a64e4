// SPDX-License-Identifier: GPL-2.0-or-later
/* Functions of all kinds of visibility, next to each other, and a call through the linkage table. */
#include <string.h>

volatile int sink;

__attribute__((noinline)) int before(const char *text)
{
	return sink + strcmp(text, "before");
}

static __attribute__((noinline)) int hidden(int x)
{
	return sink * x;
}

__attribute__((noinline)) int after(int x)
{
	return sink - hidden(x + 1) - hidden(x);
}

int main(int argc, char **argv)
{
	return before(argv[0]) + after(argc);
}
