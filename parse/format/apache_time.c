#include "parse/format/apache_time.h"

#include <string.h>

static bool is(const char *p, uint32_t n, const char *word)
{
	return strlen(word) == n && !memcmp(p, word, n);
}

/* begin: and end: say of which moment the time is. */
static void skip_moment(const char **p, uint32_t *n)
{
	uint32_t skip = *n >= 6 && !memcmp(*p, "begin:", 6) ? 6 : *n >= 4 && !memcmp(*p, "end:", 4) ? 4 : 0;
	*p += skip;
	*n -= skip;
}

bool apache_time_count(const char *p, uint32_t n, struct stamp *stamp)
{
	skip_moment(&p, &n);
	int places = is(p, n, "sec") ? 0 : is(p, n, "msec") ? 3 : is(p, n, "usec") ? 6 : -1;
	if (places >= 0 && stamp)
		*stamp = (struct stamp){ .kind = STAMP_COUNT, .places = (unsigned)places };
	return places >= 0;
}

int apache_time_init(struct apache_time *time, uint32_t n, struct arena *mem, struct err *err)
{
	*time = (struct apache_time){ .pattern = arena_alloc(mem, 2 * (size_t)n + 1) }; /* a byte becomes two at most */
	return time->pattern ? 0 : err_memory(err);
}

static void put(struct apache_time *time, const char *p, uint32_t n)
{
	memcpy(time->pattern + time->n, p, n);
	time->n += n;
}

/* Adds the bytes that a pattern takes when it is written. */
static void measure(struct apache_time *time, const char *p, uint32_t n)
{
	static const char letters[] = "YymdejbhaHkIlMSpzuwUnt%";
	static const uint8_t width[] = { 4, 2, 2, 2, 2, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 5, 1, 1, 2, 1, 1, 1 };
	for (uint32_t i = 0; i < n; i++) {
		if (p[i] != '%') {
			time->width++;
			time->blanks |= p[i] == ' ';
			continue;
		}
		char letter = p[++i];
		const char *longer = strptime_expansion(letter), *known = strchr(letters, letter);
		if (longer)
			measure(time, longer, (uint32_t)strlen(longer));
		else if (known)
			time->width += width[known - letters];
		else
			time->varies = true;
		time->blanks |= letter == 'e' || letter == 'k' || letter == 'l';
	}
}

int apache_time_add(struct apache_time *time, const char *p, uint32_t n, struct span span, struct err *err)
{
	skip_moment(&p, &n);
	bool ms = is(p, n, "msec_frac"), us = is(p, n, "usec_frac");
	if (ms || us) {
		put(time, "%f", 2);
		time->width += ms ? 3 : 6;
		return 0;
	}
	span.at += span.len - n;
	span.len = n;
	if (strptime_check(p, n, span, err))
		return -1;
	put(time, p, n);
	measure(time, p, n);
	return 0;
}

void apache_time_literal(struct apache_time *time, char c)
{
	char text[] = { c, c };
	put(time, text, c == '%' ? 2 : 1);
	time->width++;
	time->blanks |= c == ' ';
}

void apache_time_item(const struct apache_time *time, struct log_item *item)
{
	item->width = time->varies ? 0 : time->width;
	item->blanks = time->blanks;
	item->stamp = (struct stamp){ .kind = STAMP_PATTERN, .pattern = time->pattern, .len = time->n };
}
