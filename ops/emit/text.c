#include "ops/emit/text.h"

#include "core/show.h"

const char text_kinds[4][3] = { "+I", "-U", "+U", "-D" };

static uint8_t byte_of(char letter)
{
	return letter == 't' ? '\t' : letter == 'n' ? '\n' : letter == 'r' ? '\r' : '\\';
}

void escape_init(struct escape *escape, const char *letters, bool terminal)
{
	*escape = (struct escape){ .any = terminal || *letters, .trust = !terminal };
	for (uint32_t b = 0; terminal && b < 0x20; b++)
		escape->code[b] = 'x';
	escape->code[0x7f] = terminal ? 'x' : 0;
	for (; *letters; letters++)
		escape->code[byte_of(*letters)] = (uint8_t)*letters;
}

static char *write_escape(char *to, uint8_t code, uint8_t byte)
{
	if (code == 'x') {
		show_hex(to, (char)byte);
		return to + SHOW_MOST;
	}
	*to++ = '\\';
	*to++ = (char)code;
	return to;
}

char *escape_write(const struct escape *escape, char *to, const char *from, uint32_t n)
{
	const char *end = from + n;
	while (from < end) {
		const char *run = from;
		while (run < end && !escape->code[(uint8_t)*run])
			run++;
		to = text_copy(to, from, (uint32_t)(run - from));
		if (run == end)
			break;
		to = write_escape(to, escape->code[(uint8_t)*run], (uint8_t)*run);
		from = run + 1;
	}
	return to;
}
