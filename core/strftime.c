/* Times written by a pattern. */
#include "core/number.h"
#include "core/strptime.h"
#include "core/time_text.h"

struct writer {
	char *to, *end;
	struct civil c;
	int64_t time, offset;
	bool utc;
};

static void put(struct writer *w, const char *p, size_t n)
{
	size_t room = (size_t)(w->end - w->to);
	n = n < room ? n : room;
	memcpy(w->to, p, n);
	w->to += n;
}

/* v >= 0 with at least `width` digits (up to 9), what is missing as `fill`. */
static void number(struct writer *w, int v, int width, char fill)
{
	char text[12], *end = text + sizeof text, *p = end;
	for (; v || p == end; v /= 10)
		*--p = (char)('0' + v % 10);
	while (end - p < width)
		*--p = fill;
	put(w, p, (size_t)(end - p));
}

static void name(struct writer *w, const char *name, bool full)
{
	put(w, name, full ? strlen(name) : 3);
}

static void year(struct writer *w, int64_t year)
{
	char text[24];
	const char *end = put_year(text, year);
	put(w, text, (size_t)(end - text));
}

static void offset(struct writer *w, bool colon)
{
	char text[12];
	const char *end = put_offset(text, w->offset, colon);
	put(w, text, (size_t)(end - text));
}

static void seconds(struct writer *w)
{
	char text[VALUE_TEXT_MAX];
	uint32_t n = number_print_int(w->time / 1000 - (w->time % 1000 < 0), text);
	put(w, text, n);
}

static int days_of(int64_t year)
{
	return civil_valid(year, 2, 29) ? 366 : 365;
}

/* A week of ISO 8601 is of the year of its Thursday. */
static void iso_week(struct writer *w, bool the_year)
{
	int64_t its_year = w->c.year;
	int thursday = w->c.yearday - (w->c.weekday + 6) % 7 + 3;
	if (thursday < 0)
		thursday += days_of(--its_year);
	else if (thursday >= days_of(its_year))
		thursday -= days_of(its_year++);
	if (the_year)
		year(w, its_year);
	else
		number(w, thursday / 7 + 1, 2, '0');
}

static void put_pattern(struct writer *w, const char *pattern, const char *end);

static void put_letter(struct writer *w, char letter)
{
	const struct civil *c = &w->c;
	int hour12 = c->hour % 12 ? c->hour % 12 : 12;
	switch (letter) {
	case 'Y': year(w, c->year); return;
	case 'y': number(w, (int)((c->year % 100 + 100) % 100), 2, '0'); return;
	case 'm': number(w, c->month, 2, '0'); return;
	case 'd': number(w, c->day, 2, '0'); return;
	case 'e': number(w, c->day, 2, ' '); return;
	case 'j': number(w, c->yearday + 1, 3, '0'); return;
	case 'b':
	case 'h':
	case 'B': name(w, month_names[c->month - 1], letter == 'B'); return;
	case 'a':
	case 'A': name(w, weekday_names[c->weekday], letter == 'A'); return;
	case 'u': number(w, c->weekday ? c->weekday : 7, 1, '0'); return;
	case 'w': number(w, c->weekday, 1, '0'); return;
	case 'U': number(w, (c->yearday + 7 - c->weekday) / 7, 2, '0'); return;
	case 'G':
	case 'V': iso_week(w, letter == 'G'); return;
	case 'H': number(w, c->hour, 2, '0'); return;
	case 'k': number(w, c->hour, 2, ' '); return;
	case 'I': number(w, hour12, 2, '0'); return;
	case 'l': number(w, hour12, 2, ' '); return;
	case 'M': number(w, c->minute, 2, '0'); return;
	case 'S': number(w, c->second, 2, '0'); return;
	case 'p': put(w, c->hour < 12 ? "AM" : "PM", 2); return;
	case 'L': number(w, c->ms, 3, '0'); return;
	case 'f': number(w, c->ms * 1000, 6, '0'); return;
	case 'N': number(w, c->ms * 1000000, 9, '0'); return;
	case 's': seconds(w); return;
	case 'z': offset(w, false); return;
	case 'Z':
		if (w->utc)
			put(w, "UTC", 3);
		else
			offset(w, true);
		return;
	case 'n': put(w, "\n", 1); return;
	case 't': put(w, "\t", 1); return;
	case '%': put(w, "%", 1); return;
	}
	const char *longer = strptime_expansion(letter);
	if (longer)
		put_pattern(w, longer, longer + strlen(longer));
}

static void put_pattern(struct writer *w, const char *pattern, const char *end)
{
	for (; pattern < end; pattern++) {
		if (*pattern == '%' && pattern + 1 < end)
			put_letter(w, *++pattern);
		else
			put(w, pattern, 1);
	}
}

uint32_t strftime_print(const char *pattern, uint32_t len, int64_t time, const struct zone *zone, char *out, uint32_t room)
{
	struct writer w = { .to = out, .end = out + room, .time = time, .offset = zone_offset(zone, time), .utc = !zone };
	civil_of(time + w.offset, &w.c);
	put_pattern(&w, pattern, pattern + len);
	return (uint32_t)(w.to - out);
}
