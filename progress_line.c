#include "progress_line.h"

#include <stdio.h>

#include "core/time.h"

/* Three digits are enough for who watches. */
static void scale(char *out, size_t room, double v, double base, const char *const unit[5])
{
	int i = 0;
	for (; v >= 999.5 && i < 4; i++)
		v /= base;
	snprintf(out, room, "%.*f%s", !i || v >= 99.95 ? 0 : v >= 9.995 ? 1 : 2, v, unit[i]);
}

static const char *size_text(double bytes, char out[24])
{
	static const char *const unit[] = { " B", " KiB", " MiB", " GiB", " TiB" };
	scale(out, 24, bytes, 1024, unit);
	return out;
}

/* A file that grows while it is read has been read whole all the time. */
static const char *share_text(const struct progress_facts *facts, char out[16])
{
	double share = facts->size ? (double)facts->bytes / (double)facts->size : 0;
	*out = '\0';
	if (facts->size)
		snprintf(out, 16, " (%d%%)", share < 1 ? (int)(100 * share) : 100);
	return out;
}

void progress_line(const struct progress_facts *facts, char out[PROGRESS_TEXT_MAX])
{
	static const char *const unit[] = { "", "k", "M", "G", "T" };
	char bytes[24], share[16], rate[24], keys[40] = "", state[24], elapsed[DURATION_TEXT_MAX];
	int64_t ms = facts->elapsed < 0 ? 0 : facts->elapsed;
	scale(rate, sizeof rate, facts->rate, 1000, unit);
	if (facts->keyed)
		snprintf(keys, sizeof keys, ", %llu key%s", (unsigned long long)facts->keys, facts->keys == 1 ? "" : "s");
	snprintf(out, PROGRESS_TEXT_MAX, "%s%s, %s rows/s%s, %s of state, %s", size_text((double)facts->bytes, bytes), share_text(facts, share), rate, keys,
		 size_text((double)facts->state, state), duration_text(ms < 1000 ? ms : ms - ms % 1000, elapsed, sizeof elapsed));
}
