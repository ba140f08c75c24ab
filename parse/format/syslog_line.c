#include "parse/format/syslog_line.h"

#include <string.h>

#include "core/time_text.h"

/* The end of what stands at p up to a blank. */
static const char *token_end(const char *p, const char *end)
{
	const char *blank = find_byte(p, end, ' ');
	return blank ? blank : end;
}

/* How many digits stand at p. */
static uint32_t digits(const char *p, const char *end)
{
	struct scan s = { p, end };
	return (uint32_t)scan_run(&s);
}

/* Does p look like `layout`, in which 0 stands for any digit? */
static bool looks_like(const char *p, const char *end, const char *layout)
{
	for (; *layout; layout++, p++)
		if (p == end || (*layout == '0' ? !is_digit(*p) : *p != *layout))
			return false;
	return true;
}

/* ---- stamps -------------------------------------------------------------------------------- */

/* Behind a stamp as in Oct 11 22:14:15, Oct 1 2003 22:14:15 or Oct 11 22:14:15.003; NULL: it is none. */
static const char *bsd_stamp_end(const char *p, const char *end)
{
	if (end - p < 14 || !month_of(p) || p[3] != ' ')
		return NULL;
	p = skip_blanks(p + 3, end);
	uint32_t day = digits(p, end);
	if (day < 1 || day > 2)
		return NULL;
	p = skip_blanks(p + day, end);
	if (looks_like(p, end, "0000 00:"))
		p += 5;
	if (!looks_like(p, end, "00:00:00"))
		return NULL;
	p += 8;
	if (end - p >= 2 && (*p == '.' || *p == ',') && is_digit(p[1]))
		p += 1 + digits(p + 1, end);
	return p == end || *p == ' ' ? p : NULL;
}

/* Behind a stamp as in 2003-10-11T22:14:15.003Z, or with a blank for the T; NULL: it is none. */
static const char *iso_stamp_end(const char *p, const char *end)
{
	if (!looks_like(p, end, "0000-00-00") || end - p < 16)
		return NULL;
	bool blank = p[10] == ' ';
	if ((!blank && p[10] != 'T' && p[10] != 't') || !looks_like(p + 11, end, "00:00"))
		return NULL;
	return token_end(p + 11, end);
}

/* Takes the stamp of journalctl -o short-full at p, as in Sat 2003-10-11 22:14:15 CEST, but for the name of the zone, which says nothing for sure (IST).
 * What is behind it; NULL: it is none. */
static const char *take_full_stamp(const char *p, const char *end, struct piece *out)
{
	struct scan s = { p, end };
	int weekday;
	if (!scan_weekday(&s, &weekday) || !scan_take(&s, ' '))
		return NULL;
	const char *stop = iso_stamp_end(s.p, end);
	if (!stop || stop == end)
		return NULL;
	*out = between(s.p, stop);
	return token_end(stop + 1, end);
}

/* Takes any stamp; likewise. */
static const char *take_stamp(const char *p, const char *end, struct piece *out)
{
	const char *stop = bsd_stamp_end(p, end);
	if (!stop)
		stop = iso_stamp_end(p, end);
	if (!stop)
		return take_full_stamp(p, end, out);
	*out = between(p, stop);
	return stop;
}

/* Is it one by RFC 5424? Letters are capital there, and the date exists. */
static bool is_strict(struct piece stamp)
{
	int64_t time;
	bool capital = looks_like(stamp.p, stamp.p + stamp.len, "0000-00-00T00:00:00") && !memchr(stamp.p, 'z', stamp.len);
	return capital && time_read_iso(stamp.p, stamp.len, NULL, &time);
}

/* ---- RFC 5424 ------------------------------------------------------------------------------ */

enum { DATA_NAME = 32, DATA_IDS = 16 /* of as many it is seen that one comes twice */ };

/* Behind a name of at most 32 bytes; NULL: it is none. */
static const char *data_name(const char *p, const char *end)
{
	const char *begin = p;
	while (p < end && *p > ' ' && *p != '=' && *p != ']' && *p != '"')
		p++;
	return p > begin && p - begin <= DATA_NAME ? p : NULL;
}

/* Behind "value" at p; NULL: it is none. Quotes, brackets and backslashes are escaped in it; any other backslash is data. */
static const char *data_value(const char *p, const char *end)
{
	if (p == end || *p++ != '"')
		return NULL;
	for (; p < end && *p != '"' && *p != ']'; p++)
		p += *p == '\\' && p + 1 < end && (p[1] == '"' || p[1] == '\\' || p[1] == ']');
	return p < end && *p == '"' ? p + 1 : NULL;
}

/* Behind the element at p, a bracket; *id is its name. */
static const char *data_element(const char *p, const char *end, struct piece *id)
{
	const char *stop = data_name(++p, end);
	if (!stop)
		return NULL;
	*id = between(p, stop);
	for (p = stop; p && p < end && *p == ' ';) {
		p = data_name(p + 1, end);
		p = p && p < end && *p == '=' ? data_value(p + 1, end) : NULL;
	}
	return p && p < end && *p == ']' ? p + 1 : NULL;
}

const char *syslog_data(const char *p, const char *end)
{
	struct piece id[DATA_IDS];
	uint32_t n = 0;
	if (p < end && *p == '-')
		return p + 1;
	do {
		struct piece next;
		p = p < end && *p == '[' ? data_element(p, end, &next) : NULL;
		for (uint32_t i = 0; p && i < n; i++)
			if (id[i].len == next.len && !memcmp(id[i].p, next.p, next.len))
				return NULL;
		if (p && n < DATA_IDS)
			id[n++] = next;
	} while (p && p < end && *p == '[');
	return p;
}

/* What follows the stamp, and a blank behind it: HOST APP PROCID MSGID DATA [MSG]. */
static const char *split_5424(const char *p, const char *end, struct piece part[SYSLOG_PARTS])
{
	static const struct { enum syslog_part part; ptrdiff_t most; } field[] = {
		{ SYSLOG_HOST, 255 }, { SYSLOG_TAG, 48 }, { SYSLOG_PID, 128 }, { SYSLOG_MSG, 32 } /* the id of the message, not kept */
	};
	for (int i = 0; i < 4; i++) {
		const char *stop = token_end(p, end);
		if (stop == end)
			return "the line ends before the structured data";
		if (stop == p || stop - p > field[i].most)
			return stop == p ? "two blanks in the header" : "a field of the header is too long";
		part[field[i].part] = between(p, stop);
		p = stop + 1;
	}
	part[SYSLOG_MSG].p = NULL;
	p = syslog_data(p, end);
	if (!p || (p < end && *p != ' '))
		return "the structured data is neither - nor [id name=\"value\" ...]";
	if (end - p > 1)
		part[SYSLOG_MSG] = between(p + 1, end);
	return NULL;
}

/* ---- RFC 3164 ------------------------------------------------------------------------------ */

/* Is there a tag at p: name: or name[pid]: or name[77] alone? Then it is taken, and what is behind it given; else NULL. */
static const char *take_tag(const char *p, const char *end, struct piece part[SYSLOG_PARTS])
{
	const char *stop = p;
	while (stop < end && *stop != ' ' && *stop != '[' && !(*stop == ':' && (stop + 1 == end || stop[1] == ' ')))
		stop++;
	if (stop == p || stop == end || *stop == ' ')
		return NULL;
	const char *close = *stop == '[' ? find_byte(stop, token_end(stop, end), ']') : NULL;
	bool colon = close ? close + 1 < end && close[1] == ':' : *stop == ':';
	if (!colon && !(close && close > stop + 1 && digits(stop + 1, close) == close - stop - 1 && (close + 1 == end || close[1] == ' ')))
		return NULL;
	part[SYSLOG_TAG] = between(p, stop);
	if (close)
		part[SYSLOG_PID] = between(stop + 1, close);
	p = (close ? close + 1 : stop) + colon;
	return p < end && *p == ' ' ? p + 1 : p;
}

/* What follows the stamp: [HOST] [TAG] MSG. */
static void split_3164(const char *p, const char *end, struct piece part[SYSLOG_PARTS])
{
	p = skip_blanks(p, end);
	const char *behind = take_tag(p, end, part);
	if (!behind && p < end) {
		const char *stop = token_end(p, end);
		part[SYSLOG_HOST] = between(p, stop);
		p = skip_blanks(stop, end);
		behind = take_tag(p, end, part);
	}
	if (behind)
		p = behind;
	if (p < end)
		part[SYSLOG_MSG] = between(p, end);
}

/* With an ISO stamp files may hold the fields of RFC 5424, without priority and version: their process id is a number or -, and structured data is there.
 * False: it is none, and what was put into `part` is to be forgotten. */
static bool split_bare_5424(const char *p, const char *end, struct piece part[SYSLOG_PARTS])
{
	if (split_5424(p, end, part))
		return false;
	struct piece pid = part[SYSLOG_PID], tag = part[SYSLOG_TAG];
	return tag.p[tag.len - 1] != ':' && ((pid.len == 1 && *pid.p == '-') || digits(pid.p, pid.p + pid.len) == pid.len);
}

/* ---- lines --------------------------------------------------------------------------------- */

/* <0> to <191>, without zeros in front. What is behind it; NULL: it is none. */
static const char *take_priority(const char *p, const char *end, struct piece *out)
{
	uint32_t n = digits(p + 1, end);
	struct scan s = { p + 1, end };
	int value;
	if (n < 1 || n > 3 || (p[1] == '0' && n > 1) || !scan_digits(&s, (int)n, &value) || value > 191 || !scan_take(&s, '>'))
		return NULL;
	*out = between(p + 1, p + 1 + n);
	return s.p;
}

/* What follows the version: STAMP and the header of RFC 5424. Without a priority a stamp must be there. */
static const char *split_version(const char *p, const char *end, bool priority, struct piece part[SYSLOG_PARTS])
{
	const char *stop = token_end(p, end);
	part[SYSLOG_TIME] = between(p, stop);
	bool nil = priority && stop - p == 1 && *p == '-';
	if (!nil && !is_strict(part[SYSLOG_TIME]))
		return "no stamp of RFC 5424 behind the version";
	return stop == end ? "the line ends behind the stamp" : split_5424(stop + 1, end, part);
}

const char *syslog_split(const char *p, const char *end, struct piece part[SYSLOG_PARTS])
{
	memset(part, 0, SYSLOG_PARTS * sizeof *part);
	bool priority = p < end && *p == '<';
	if (priority && !(p = take_priority(p, end, &part[SYSLOG_PRI])))
		return "no priority from <0> to <191>";
	uint32_t version = digits(p, end);
	if (version >= 1 && version <= 3 && *p != '0' && p + version < end && p[version] == ' ')
		return split_version(p + version + 1, end, priority, part);
	const char *stop = take_stamp(p, end, &part[SYSLOG_TIME]);
	if (!stop)
		return "no time (Nov 29 10:00:00 or ISO) at the beginning of the line";
	struct piece bare[SYSLOG_PARTS];
	memcpy(bare, part, sizeof bare);
	if (is_digit(*p) && stop < end && split_bare_5424(stop + 1, end, bare))
		memcpy(part, bare, sizeof bare);
	else
		split_3164(stop, end, part);
	return NULL;
}
