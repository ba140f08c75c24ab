/* Writing times by a pattern. */
#include <stdio.h>
#include <string.h>

#include "core/strptime.h"
#include "core/time_text.h"

struct writer { char *to, *end; };

static void put_bytes(struct writer *w, const char *p, size_t n)
{
	size_t room = (size_t)(w->end - w->to);
	n = n < room ? n : room;
	memcpy(w->to, p, n);
	w->to += n;
}

static void put_number(struct writer *w, const char *format, int64_t v)
{
	char text[32];
	int n = snprintf(text, sizeof text, format, (long long)v);
	put_bytes(w, text, n > 0 ? (size_t)n : 0);
}

static int days_of(int64_t year)
{
	return civil_valid(year, 2, 29) ? 366 : 365;
}

/* Year and week of ISO 8601: a week belongs to the year of its Thursday. */
static void iso_week(const struct civil *c, int64_t *year, int *week)
{
	int thursday = c->yearday - (c->weekday + 6) % 7 + 3;
	*year = c->year;
	if (thursday < 0)
		thursday += days_of(--*year);
	else if (thursday >= days_of(*year))
		thursday -= days_of((*year)++);
	*week = thursday / 7 + 1;
}

static void put_pattern(struct writer *w, const char *p, const char *end, int64_t time, int64_t offset, const struct zone *zone);

static void put_letter(struct writer *w, char letter, int64_t time, int64_t offset, const struct zone *zone)
{
	struct civil c;
	char text[16];
	int64_t year;
	int week, hour12;
	civil_of(time + offset, &c);
	hour12 = c.hour % 12 ? c.hour % 12 : 12;
	iso_week(&c, &year, &week);
	const char *longer = strptime_expansion(letter);
	if (longer) {
		put_pattern(w, longer, longer + strlen(longer), time, offset, zone);
		return;
	}
	switch (letter) {
	case 'Y': put_number(w, "%04lld", c.year); break;
	case 'y': put_number(w, "%02lld", (c.year % 100 + 100) % 100); break;
	case 'm': put_number(w, "%02lld", c.month); break;
	case 'd': put_number(w, "%02lld", c.day); break;
	case 'e': put_number(w, "%2lld", c.day); break;
	case 'j': put_number(w, "%03lld", c.yearday + 1); break;
	case 'b':
	case 'h': put_bytes(w, month_names[c.month - 1], 3); break;
	case 'B': put_bytes(w, month_names[c.month - 1], strlen(month_names[c.month - 1])); break;
	case 'a': put_bytes(w, weekday_names[c.weekday], 3); break;
	case 'A': put_bytes(w, weekday_names[c.weekday], strlen(weekday_names[c.weekday])); break;
	case 'H': put_number(w, "%02lld", c.hour); break;
	case 'k': put_number(w, "%2lld", c.hour); break;
	case 'I': put_number(w, "%02lld", hour12); break;
	case 'l': put_number(w, "%2lld", hour12); break;
	case 'M': put_number(w, "%02lld", c.minute); break;
	case 'S': put_number(w, "%02lld", c.second); break;
	case 'L': put_number(w, "%03lld", c.ms); break;
	case 'N': put_number(w, "%03lld000000", c.ms); break;
	case 'p': put_bytes(w, c.hour < 12 ? "AM" : "PM", 2); break;
	case 'z': put_bytes(w, text, (size_t)(time_put_offset(text, offset, false) - text)); break;
	case 'Z':
		if (zone)
			put_bytes(w, text, (size_t)(time_put_offset(text, offset, true) - text));
		else
			put_bytes(w, "UTC", 3);
		break;
	case 's': put_number(w, "%lld", time / 1000 - (time % 1000 < 0)); break;
	case 'u': put_number(w, "%lld", c.weekday ? c.weekday : 7); break;
	case 'w': put_number(w, "%lld", c.weekday); break;
	case 'U': put_number(w, "%02lld", (c.yearday + 7 - c.weekday) / 7); break;
	case 'V': put_number(w, "%02lld", week); break;
	case 'G': put_number(w, "%04lld", year); break;
	case 'n': put_bytes(w, "\n", 1); break;
	case 't': put_bytes(w, "\t", 1); break;
	case '%': put_bytes(w, "%", 1); break;
	}
}

static void put_pattern(struct writer *w, const char *p, const char *end, int64_t time, int64_t offset, const struct zone *zone)
{
	for (; p < end; p++) {
		if (*p == '%' && p + 1 < end)
			put_letter(w, *++p, time, offset, zone);
		else
			put_bytes(w, p, 1);
	}
}

uint32_t strftime_print(const char *pattern, uint32_t len, int64_t time, const struct zone *zone, char *out, uint32_t room)
{
	struct writer w = { out, out + room };
	put_pattern(&w, pattern, pattern + len, time, zone_offset(zone, time), zone);
	return (uint32_t)(w.to - out);
}
