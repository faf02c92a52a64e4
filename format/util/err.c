// SPDX-License-Identifier: GPL-2.0-or-later
/* Sentences for error codes. */
#include "format/util/err.h"

#include <string.h>

#define PA_ERR_TEXT_(name, text) [PA_E_INDEX_##name] = text,
static const char *const texts[] = {PA_ERRORS(PA_ERR_TEXT_)};

const char *pa_strerror(int err)
{
	const char *text;

	if (err >= 0)
		return "success";
	if (err <= -4096)
		return err > -4096 - PA_E_COUNT ? texts[-4096 - err] : "unknown error";
	/* strerrordesc_np is thread safe and does not depend on the locale. */
	text = strerrordesc_np(-err);
	return text ? text : "unknown system error";
}
