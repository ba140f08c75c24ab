/* JSON as simply as can be: a recursive reader that builds a tree, and paths followed in it. The model of core/json. */
#ifndef JSON_MODEL_H
#define JSON_MODEL_H
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/path.h"

enum model_kind { M_NULL, M_WORD, M_NUMBER, M_STRING, M_ARRAY, M_OBJECT };

struct model {
	enum model_kind kind;
	const char *p;      /* the value as it stands there; of a string: its bytes, resolved, malloc'd */
	size_t len;
	char *name;         /* of a member, resolved, malloc'd */
	size_t name_len;
	struct model **child;
	size_t n;
};

struct model_text { const char *p, *end; };

static inline void model_free(struct model *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->n; i++)
		model_free(m->child[i]);
	if (m->kind == M_STRING)
		free((char *)m->p);
	free(m->child);
	free(m->name);
	free(m);
}

static inline void model_blanks(struct model_text *t)
{
	while (t->p < t->end && strchr(" \t\n\r", *t->p) && *t->p)
		t->p++;
}

static inline bool model_hex(struct model_text *t, unsigned *out)
{
	*out = 0;
	for (int i = 0; i < 4; i++, t->p++) {
		const char *digits = "0123456789abcdefABCDEF", *at = t->p < t->end && *t->p ? strchr(digits, *t->p) : NULL;
		if (!at)
			return false;
		unsigned d = (unsigned)(at - digits);
		*out = *out * 16 + (d > 15 ? d - 6 : d);
	}
	return true;
}

static inline size_t model_utf8(unsigned c, char *to)
{
	if (c < 0x80)
		return to[0] = (char)c, 1;
	if (c < 0x800)
		return to[0] = (char)(0xc0 | c >> 6), to[1] = (char)(0x80 | (c & 63)), 2;
	if (c < 0x10000)
		return to[0] = (char)(0xe0 | c >> 12), to[1] = (char)(0x80 | (c >> 6 & 63)), to[2] = (char)(0x80 | (c & 63)), 3;
	return to[0] = (char)(0xf0 | c >> 18), to[1] = (char)(0x80 | (c >> 12 & 63)), to[2] = (char)(0x80 | (c >> 6 & 63)), to[3] = (char)(0x80 | (c & 63)), 4;
}

/* Half a character alone is U+FFFD. */
static inline bool model_unicode(struct model_text *t, char *to, size_t *n)
{
	unsigned c, low;
	if (!model_hex(t, &c))
		return false;
	if (c >= 0xd800 && c < 0xe000) {
		struct model_text next = { t->p + 2, t->end };
		bool pair = c < 0xdc00 && t->end - t->p >= 6 && t->p[0] == '\\' && t->p[1] == 'u' && model_hex(&next, &low) && low >= 0xdc00 && low < 0xe000;
		c = pair ? 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00) : 0xfffd;
		if (pair)
			*t = next;
	}
	*n += model_utf8(c, to + *n);
	return true;
}

/* At a quote: its bytes, malloc'd; NULL: no valid string. */
static inline char *model_string(struct model_text *t, size_t *n)
{
	char *to = malloc((size_t)(t->end - t->p) + 8);
	*n = 0;
	for (t->p++; t->p < t->end && (unsigned char)*t->p >= ' ';) {
		char c = *t->p++;
		if (c == '"')
			return to;
		if (c == '\\') {
			if (t->p == t->end)
				break;
			c = *t->p++;
			const char *names = "\"\\/bfnrt", *is = "\"\\/\b\f\n\r\t", *at = c ? strchr(names, c) : NULL;
			if (c == 'u') {
				if (!model_unicode(t, to, n))
					break;
				continue;
			}
			if (!at)
				break;
			c = is[at - names];
		}
		to[(*n)++] = c;
	}
	free(to);
	return NULL;
}

static inline bool model_digits(struct model_text *t)
{
	const char *p = t->p;
	while (t->p < t->end && *t->p >= '0' && *t->p <= '9')
		t->p++;
	return t->p > p;
}

static inline bool model_number(struct model_text *t)
{
	if (t->p < t->end && *t->p == '-')
		t->p++;
	bool zero = t->p < t->end && *t->p == '0';
	const char *begin = t->p;
	if (!model_digits(t) || (zero && t->p > begin + 1))
		return false;
	if (t->p < t->end && *t->p == '.' && (t->p++, !model_digits(t)))
		return false;
	if (t->p < t->end && (*t->p == 'e' || *t->p == 'E')) {
		t->p++;
		if (t->p < t->end && (*t->p == '+' || *t->p == '-'))
			t->p++;
		return model_digits(t);
	}
	return true;
}

static inline struct model *model_value(struct model_text *t, int depth);

/* The members or elements behind the opening bracket, up to the closing one. */
static inline bool model_inside(struct model *m, struct model_text *t, char close, int depth)
{
	for (bool first = true;; first = false) {
		model_blanks(t);
		if (t->p < t->end && *t->p == close && first)
			return t->p++, true;
		char *name = NULL;
		size_t name_len = 0;
		if (close == '}') {
			name = t->p < t->end && *t->p == '"' ? model_string(t, &name_len) : NULL;
			model_blanks(t);
			if (!name || t->p == t->end || *t->p++ != ':')
				return free(name), false;
		}
		struct model *child = model_value(t, depth + 1);
		if (!child)
			return free(name), false;
		child->name = name;
		child->name_len = name_len;
		m->child = realloc(m->child, (m->n + 1) * sizeof *m->child);
		m->child[m->n++] = child;
		model_blanks(t);
		if (t->p == t->end || (*t->p != ',' && *t->p != close))
			return false;
		if (*t->p++ == close)
			return true;
	}
}

static inline struct model *model_value(struct model_text *t, int depth)
{
	static const char *const words[] = { "null", "true", "false" };
	struct model *m = calloc(1, sizeof *m);
	model_blanks(t);
	m->p = t->p;
	bool ok = false;
	if (t->p < t->end && *t->p == '"') {
		m->kind = M_STRING;
		m->p = model_string(t, &m->len);
		ok = m->p != NULL;
	} else if (t->p < t->end && (*t->p == '{' || *t->p == '[') && depth < 1000) {
		m->kind = *t->p == '{' ? M_OBJECT : M_ARRAY;
		t->p++;
		ok = model_inside(m, t, m->kind == M_OBJECT ? '}' : ']', depth);
	} else {
		for (int i = 0; i < 3 && !ok; i++)
			if ((size_t)(t->end - t->p) >= strlen(words[i]) && !memcmp(t->p, words[i], strlen(words[i]))) {
				m->kind = i ? M_WORD : M_NULL;
				t->p += strlen(words[i]);
				ok = true;
			}
		if (!ok) {
			m->kind = M_NUMBER;
			ok = model_number(t);
		}
	}
	if (m->kind != M_STRING)
		m->len = (size_t)(t->p - m->p);
	if (!ok)
		model_free(m);
	return ok ? m : NULL;
}

/* The tree of a text; NULL: it is not JSON. */
static inline struct model *model_read(const char *p, size_t n)
{
	struct model_text t = { p, p + n };
	struct model *m = model_value(&t, 0);
	model_blanks(&t);
	if (m && t.p < t.end) {
		model_free(m);
		return NULL;
	}
	return m;
}

/* The last member of that name, or NULL. */
static inline const struct model *model_member(const struct model *m, const char *name, size_t len)
{
	for (size_t i = m && m->kind == M_OBJECT ? m->n : 0; i--;)
		if (m->child[i]->name_len == len && !memcmp(m->child[i]->name, name, len))
			return m->child[i];
	return NULL;
}

static inline const struct model *model_steps(const struct model *m, const struct step *step, uint32_t n)
{
	for (uint32_t i = 0; m && i < n; i++) {
		if (step[i].name) {
			m = model_member(m, step[i].name, step[i].len);
			continue;
		}
		int64_t index = step[i].index < 0 && m->kind == M_ARRAY ? (int64_t)m->n + step[i].index : step[i].index;
		m = m->kind == M_ARRAY && index >= 0 && index < (int64_t)m->n ? m->child[index] : NULL;
	}
	return m;
}

/* What a path leads to: first with its leading names joined by dots. NULL: nothing. */
static inline const struct model *model_path(const struct model *m, const struct step *step, uint32_t n)
{
	char dotted[4096];
	size_t len = 0;
	uint32_t names = 0;
	for (; names < n && step[names].name; names++)
		len += (size_t)snprintf(dotted + len, sizeof dotted - len, "%s%.*s", names ? "." : "", (int)step[names].len, step[names].name);
	const struct model *first = names > 1 ? model_steps(model_member(m, dotted, len), step + names, n - names) : NULL;
	return first ? first : model_steps(m, step, n);
}
#endif
