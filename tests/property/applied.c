#include "applied.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void applied_add(struct applied *a, const char *row, size_t n)
{
	if (a->n == a->cap) {
		a->cap = a->cap ? 2 * a->cap : 64;
		a->row = realloc(a->row, (size_t)a->cap * sizeof *a->row);
	}
	a->row[a->n++] = strndup(row, n);
}

static bool take(struct applied *a, const char *row, size_t n)
{
	for (int i = 0; i < a->n; i++) {
		if (strlen(a->row[i]) != n || memcmp(a->row[i], row, n))
			continue;
		free(a->row[i]);
		a->row[i] = a->row[--a->n];
		return true;
	}
	return false;
}

static void fault(struct applied *a, const char *what, const char *line, size_t n)
{
	if (!*a->fault)
		snprintf(a->fault, sizeof a->fault, "%s: %.*s", what, (int)n, line);
}

void applied_changelog(struct applied *a, const char *text, size_t n)
{
	const char *end = text + n, *before = NULL;
	size_t before_n = 0;
	for (const char *p = text; p < end;) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		size_t len = (size_t)((nl ? nl : end) - p);
		if (len < 3 || p[2] != '\t')
			return fault(a, "not a changelog line", p, len);
		const char *row = p + 3;
		if (before && memcmp(p, "+U", 2))
			fault(a, "no +U behind -U", p, len);
		if (!memcmp(p, "+U", 2) && before && before_n == len - 3 && !memcmp(before, row, before_n))
			fault(a, "a pair of equal rows", p, len);
		if (p[0] == '-' && !take(a, row, len - 3))
			fault(a, "retraction of a row that is not there", p, len);
		if (p[0] == '+')
			applied_add(a, row, len - 3);
		before = memcmp(p, "-U", 2) ? NULL : row;
		before_n = len - 3;
		p += len + 1;
	}
	if (before)
		fault(a, "-U at the end", before, before_n);
}

void applied_rows(struct applied *a, const char *text, size_t n)
{
	const char *end = text + n;
	for (const char *p = text; p < end;) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		size_t len = (size_t)((nl ? nl : end) - p);
		applied_add(a, p, len);
		p += len + 1;
	}
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

bool applied_same(struct applied *a, struct applied *b)
{
	if (a->n != b->n)
		return false;
	if (!a->n)
		return true;
	qsort(a->row, (size_t)a->n, sizeof *a->row, by_text);
	qsort(b->row, (size_t)b->n, sizeof *b->row, by_text);
	for (int i = 0; i < a->n; i++)
		if (strcmp(a->row[i], b->row[i]))
			return false;
	return true;
}

void applied_free(struct applied *a)
{
	for (int i = 0; i < a->n; i++)
		free(a->row[i]);
	free(a->row);
	*a = (struct applied){ 0 };
}
