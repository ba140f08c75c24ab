#include "ops/state/snapshot.h"

#include <math.h>
#include <string.h>
#include <xxhash.h>

#include "core/arena.h"

static const char MAGIC[] = "weir state ";
static const char VERSION[] = "1\n";

/* ---- numbers and bytes ---- */

static void put_fixed(char *to, uint64_t v)
{
	for (int i = 0; i < 8; i++)
		to[i] = (char)(unsigned char)(v >> 8 * i);
}

static uint64_t get_fixed(const char *from)
{
	uint64_t v = 0;
	for (int i = 0; i < 8; i++)
		v |= (uint64_t)(unsigned char)from[i] << 8 * i;
	return v;
}

void snap_put_u64(struct snap_out *out, uint64_t v)
{
	char *to = buf_room(out->buf, 10);
	if (!to)
		return;
	size_t n = 0;
	for (; v >= 0x80; v >>= 7)
		to[n++] = (char)(unsigned char)(v | 0x80);
	to[n++] = (char)v;
	out->buf->n += n;
}

void snap_put_i64(struct snap_out *out, int64_t v)
{
	snap_put_u64(out, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

static void put_u64_fixed(struct snap_out *out, uint64_t v)
{
	char bytes[8];
	put_fixed(bytes, v);
	buf_put(out->buf, bytes, sizeof bytes);
}

void snap_put_f64(struct snap_out *out, double v)
{
	uint64_t bits;
	memcpy(&bits, &v, sizeof bits);
	put_u64_fixed(out, bits);
}

void snap_put_bytes(struct snap_out *out, const void *p, size_t n)
{
	snap_put_u64(out, n);
	buf_put(out->buf, p, n);
}

/* Nothing can be read any more. */
static void spoil(struct snap_in *in)
{
	in->bad = true;
	in->p = in->end;
}

uint64_t snap_u64(struct snap_in *in)
{
	uint64_t v = 0;
	for (unsigned shift = 0; in->p < in->end; shift += 7) {
		unsigned char byte = (unsigned char)*in->p++;
		if (shift == 63 && byte > 1)
			break;
		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return v;
	}
	spoil(in);
	return 0;
}

int64_t snap_i64(struct snap_in *in)
{
	uint64_t v = snap_u64(in);
	return (int64_t)(v >> 1 ^ (v & 1 ? UINT64_MAX : 0));
}

static uint64_t u64_fixed(struct snap_in *in)
{
	if (in->end - in->p < 8) {
		spoil(in);
		return 0;
	}
	in->p += 8;
	return get_fixed(in->p - 8);
}

double snap_f64(struct snap_in *in)
{
	uint64_t bits = u64_fixed(in);
	double v;
	memcpy(&v, &bits, sizeof v);
	return v;
}

uint64_t snap_count(struct snap_in *in)
{
	uint64_t n = snap_u64(in);
	if (n <= (uint64_t)(in->end - in->p))
		return n;
	spoil(in);
	return 0;
}

const char *snap_bytes(struct snap_in *in, size_t *n)
{
	*n = snap_count(in);
	if (!*n)
		return "";
	in->p += *n;
	return in->p - *n;
}

/* ---- values: a byte with the type (low half) and the flags, then what the type needs ---- */

void snap_put_value(struct snap_out *out, const struct value *v)
{
	buf_putc(out->buf, (char)(unsigned char)(v->type | (v->flags & 0xfu) << 4));
	switch (v->type) {
	case V_BOOL:
	case V_TIME:
		snap_put_i64(out, v->u.i);
		break;
	case V_DEC:
		buf_putc(out->buf, (char)v->scale);
		snap_put_i64(out, v->u.i);
		break;
	case V_DBL:
		snap_put_f64(out, v->u.d);
		break;
	case V_BIG:
	case V_RAW:
	case V_TEXT:
		snap_put_bytes(out, v->u.p, v->len);
		break;
	case V_ROW:
		snap_put_u64(out, v->len);
		for (uint32_t i = 0; i < v->len; i++)
			snap_put_value(out, &v->u.row[i]);
		break;
	}
}

static unsigned char next_byte(struct snap_in *in)
{
	if (in->p < in->end)
		return (unsigned char)*in->p++;
	spoil(in);
	return 0;
}

/* [-]digits[.digits], which others rely on. */
static bool is_digits(const char *p, uint32_t len)
{
	uint32_t i = len && p[0] == '-', digits = 0, points = 0;
	for (; i < len; i++) {
		if (p[i] >= '0' && p[i] <= '9')
			digits++;
		else if (p[i] != '.' || points++ || !digits || i + 1 == len)
			return false;
	}
	return digits > 0;
}

static void take_text(struct snap_in *in, struct value *v)
{
	size_t n;
	v->u.p = snap_bytes(in, &n);
	v->len = (uint32_t)n;
	if (n > UINT32_MAX || (v->type == V_BIG && !is_digits(v->u.p, v->len)))
		spoil(in);
}

static bool fits_type(const struct value *v)
{
	switch (v->type) {
	case V_BOOL:
		return v->u.i == 0 || v->u.i == 1;
	case V_DEC:
		return v->scale <= 18;
	case V_DBL:
		return isfinite(v->u.d) && !(v->u.d == 0 && signbit(v->u.d));
	}
	return true;
}

/* Anything but a V_ROW, so that nesting in a damaged file goes no deeper than in a good one. */
static void take_plain(struct snap_in *in, struct value *v)
{
	switch (v->type) {
	case V_NULL:
		break;
	case V_DEC:
		v->scale = next_byte(in);
		v->u.i = snap_i64(in);
		break;
	case V_BOOL:
	case V_TIME:
		v->u.i = snap_i64(in);
		break;
	case V_DBL:
		v->u.d = snap_f64(in);
		break;
	case V_BIG:
	case V_RAW:
	case V_TEXT:
		take_text(in, v);
		break;
	default:
		spoil(in);
	}
	if (!in->bad && !fits_type(v))
		spoil(in);
	if (in->bad)
		*v = value_null();
}

static struct value take_head(struct snap_in *in)
{
	unsigned char head = next_byte(in);
	return (struct value){ .type = head & 0xf, .flags = head >> 4 };
}

static void take_fields(struct snap_in *in, struct value *field, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		field[i] = take_head(in);
		take_plain(in, &field[i]);
	}
}

static void set_row(const struct snap_in *in, struct value *v, const struct value *field, uint64_t n)
{
	v->len = (uint32_t)n;
	v->u.row = field;
	if (in->bad)
		*v = value_null();
}

static void take_row(struct snap_in *in, struct value *v)
{
	uint64_t n = snap_count(in);
	struct value *field = n <= UINT32_MAX / sizeof *field ? arena_alloc(in->mem, n * sizeof *field) : NULL;
	if (!field) {
		in->refused = true;
		spoil(in);
		*v = value_null();
		return;
	}
	take_fields(in, field, n);
	set_row(in, v, field, n);
}

void snap_value(struct snap_in *in, struct value *v)
{
	*v = take_head(in);
	if (v->type == V_ROW)
		take_row(in, v);
	else
		take_plain(in, v);
}

/* The length of the text of the value that comes next, which is not a V_ROW. */
static uint64_t skip_plain(struct snap_in *in, struct value v)
{
	take_plain(in, &v);
	return v.len;
}

uint64_t snap_skip_value(struct snap_in *in)
{
	struct value v = take_head(in);
	if (v.type != V_ROW)
		return skip_plain(in, v);
	uint64_t n = snap_count(in), bytes = n * sizeof v;
	if (n > UINT32_MAX / sizeof v)
		spoil(in);
	while (n-- && !in->bad)
		bytes += skip_plain(in, take_head(in));
	return bytes;
}

void snap_value_at(struct snap_in *in, struct value *v, struct value **room)
{
	*v = take_head(in);
	if (v->type != V_ROW) {
		take_plain(in, v);
		return;
	}
	uint64_t n = snap_count(in);
	take_fields(in, *room, n);
	set_row(in, v, *room, n);
	*room += n;
}

int snap_done(const struct snap_in *in, const char *what, struct err *err)
{
	if (in->refused)
		return err_memory(err);
	if (in->bad || in->p != in->end)
		return err_set(err, ERR_FAILED, "the state is damaged (%s)", what);
	return 0;
}

/* ---- the file ---- */

void snap_begin(struct snap_out *out)
{
	buf_puts(out->buf, MAGIC);
	buf_puts(out->buf, VERSION);
}

void snap_end(struct snap_out *out)
{
	if (!out->buf->failed)
		put_u64_fixed(out, XXH3_64bits(out->buf->p, out->buf->n));
}

size_t snap_section_begin(struct snap_out *out, const char *name)
{
	snap_put_bytes(out, name, strlen(name));
	put_u64_fixed(out, 0);
	return out->buf->n;
}

void snap_section_end(struct snap_out *out, size_t mark)
{
	if (!out->buf->failed)
		put_fixed(out->buf->p + mark - 8, out->buf->n - mark);
}

int snap_open(struct snap_in *in, const char *p, size_t n, struct arena *mem, struct err *err)
{
	size_t magic = sizeof MAGIC - 1, head = magic + sizeof VERSION - 1;
	if (n < magic || memcmp(p, MAGIC, magic) != 0)
		return err_set(err, ERR_FAILED, "this is no weir state");
	if (n < head || memcmp(p + magic, VERSION, head - magic) != 0)
		return err_set(err, ERR_FAILED, "the state is of another version of weir");
	if (n < head + 8 || get_fixed(p + n - 8) != XXH3_64bits(p, n - 8))
		return err_set(err, ERR_FAILED, "the state is damaged (checksum)");
	*in = (struct snap_in){ .p = p + head, .end = p + n - 8, .mem = mem };
	return 0;
}

bool snap_section(struct snap_in *file, struct snap_name *name, struct snap_in *section)
{
	if (file->bad || file->p == file->end)
		return false;
	name->p = snap_bytes(file, &name->len);
	uint64_t n = u64_fixed(file);
	if (!file->bad && n > (uint64_t)(file->end - file->p))
		spoil(file);
	if (file->bad)
		return false;
	*section = (struct snap_in){ .p = file->p, .end = file->p + n, .mem = file->mem };
	file->p += n;
	return true;
}

int snap_want(struct snap_in *file, const char *name, struct snap_in *section, struct err *err)
{
	struct snap_name found;
	if (snap_section(file, &found, section) && found.len == strlen(name) && !memcmp(found.p, name, found.len))
		return 0;
	return file->refused ? err_memory(err) : err_set(err, ERR_FAILED, "the state is damaged (no section '%s')", name);
}
