#include "parse/lang/synonym.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* words: between blanks. */
static const struct row {
	const char *words, *here;
	enum synonym_kind kind;
} rows[] = {
	{ " mean average ", "avg(x)", SYNONYM_AGGREGATE },
	{ " median ", "p50(x)", SYNONYM_AGGREGATE },
	{ " percentile percentile_cont percentile_disc ", "quantile(x, 0.9)", SYNONYM_AGGREGATE },
	{ " cnt n ", "count", SYNONYM_AGGREGATE },
	{ " uniq nunique distinct count_distinct ", "count(distinct x)", SYNONYM_AGGREGATE },
	{ " stdev std ", "stddev(x)", SYNONYM_AGGREGATE },
	{ " variance ", "var(x)", SYNONYM_AGGREGATE },
	{ " group_concat string_agg listagg ", "join(x, ', ')", SYNONYM_AGGREGATE },
	{ " concat_ws ", "x || ', ' || y", SYNONYM_FUNCTION }, /* the columns of one row; join is for many rows */
	{ " len strlen char_length ", "length(x)", SYNONYM_FUNCTION },
	{ " ifnull nvl isnull ", "coalesce(x, y)", SYNONYM_FUNCTION },
	{ " regexp_extract match ", "extract(x, /regex/)", SYNONYM_FUNCTION },
	{ " cast to_number int float ", "number(x)", SYNONYM_FUNCTION },
	{ " str string ", "text(x)", SYNONYM_FUNCTION },
	{ " case when iif ", "if(c, a, b)", SYNONYM_FUNCTION },
	{ " substring ", "substr(x, from[, n])", SYNONYM_FUNCTION },
	{ " ceiling ", "ceil(x)", SYNONYM_FUNCTION },
	{ " power ", "pow(x, y)", SYNONYM_FUNCTION },
	{ " mod ", "x % y", SYNONYM_FUNCTION },
	{ " top ", "--topn '10 by x desc'", SYNONYM_FLAG },
};

static bool among(const char *words, const char *word, size_t len)
{
	for (const char *at = words + 1; *at; at += strcspn(at, " ") + 1)
		if (strcspn(at, " ") == len && !strncasecmp(at, word, len))
			return true;
	return false;
}

/* p and digits: the hundredths, and further decimals from the third digit on (p999). p100 is all of them. */
static bool percentile(const char *word, size_t len, struct synonym *out)
{
	if (len < 2 || len > 8 || (word[0] | 0x20) != 'p' || strspn(word + 1, "0123456789") < len - 1)
		return false;
	out->kind = SYNONYM_AGGREGATE;
	if (len == 4 && !memcmp(word + 1, "100", 3))
		snprintf(out->here, sizeof out->here, "max(x)");
	else
		snprintf(out->here, sizeof out->here, "quantile(x, 0.%s%.*s)", len == 2 ? "0" : "", (int)len - 1, word + 1);
	return true;
}

bool synonym_find(const char *word, size_t len, struct synonym *out)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!among(rows[i].words, word, len))
			continue;
		out->kind = rows[i].kind;
		snprintf(out->here, sizeof out->here, "%s", rows[i].here);
		return true;
	}
	return percentile(word, len, out);
}
