/* Addresses and networks: the examples of RFC 4291 and RFC 5952, and random ones as python3's ipaddress has them. */
#include "unit/exprs.h"
#include "unit/python.h"

#include "ops/expr/ip.h"

enum { RANDOM = 4000, ADDRESS = 80 };

static struct bytes bytes(const char *text) { return (struct bytes){ text, strlen(text) }; }

/* A text as weir writes it; "-": it is none. */
static const char *printed(const char *text, char out[IP_TEXT_MAX + 1])
{
	struct ip ip;
	if (!ip_read(bytes(text), &ip))
		return "-";
	out[ip_print(&ip, out)] = '\0';
	return out;
}

START_TEST(test_text)
{
	static const char *const cases[][2] = {
		{ "0.0.0.0", "0.0.0.0/32" },
		{ "255.255.255.255", "255.255.255.255/32" },
		{ "10.1.2.3/8", "10.1.2.3/8" },
		{ "10.1.2.3/0", "10.1.2.3/0" },
		/* RFC 4291, 2.2 and 2.3 */
		{ "ABCD:EF01:2345:6789:ABCD:EF01:2345:6789", "abcd:ef01:2345:6789:abcd:ef01:2345:6789/128" },
		{ "2001:DB8:0:0:8:800:200C:417A", "2001:db8::8:800:200c:417a/128" },
		{ "FF01:0:0:0:0:0:0:101", "ff01::101/128" },
		{ "0:0:0:0:0:0:0:1", "::1/128" },
		{ "0:0:0:0:0:0:0:0", "::/128" },
		{ "::", "::/128" },
		{ "::1", "::1/128" },
		{ "::13.1.68.3", "::d01:4403/128" },
		{ "::FFFF:129.144.52.38", "::ffff:129.144.52.38/128" },
		{ "0:0:0:0:0:FFFF:129.144.52.38", "::ffff:129.144.52.38/128" },
		{ "2001:0DB8:0000:CD30:0000:0000:0000:0000/60", "2001:db8:0:cd30::/60" },
		{ "2001:0DB8::CD30:0:0:0:0/60", "2001:db8:0:cd30::/60" },
		{ "2001:0DB8:0:CD30::/60", "2001:db8:0:cd30::/60" },
		{ "2001:0DB8:0:CD3/60", "-" },
		/* RFC 5952, 2 and 4 */
		{ "2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1/128" },
		{ "2001:0db8:0:0:1:0:0:1", "2001:db8::1:0:0:1/128" },
		{ "2001:db8::0:1:0:0:1", "2001:db8::1:0:0:1/128" },
		{ "2001:DB8:0:0:1::1", "2001:db8::1:0:0:1/128" },
		{ "2001:db8:aaaa:bbbb:cccc:dddd::1", "2001:db8:aaaa:bbbb:cccc:dddd:0:1/128" },
		{ "2001:db8:aaaa:bbbb:cccc:dddd:eeee:0001", "2001:db8:aaaa:bbbb:cccc:dddd:eeee:1/128" },
		{ "2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1/128" },
		{ "2001:0:0:1:0:0:0:1", "2001:0:0:1::1/128" },
		{ "1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0/128" },
		{ "::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8/128" },
		{ "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304/128" },
		/* none */
		{ "", "-" }, { "1.2.3", "-" }, { "1.2.3.4.5", "-" }, { "1.2.3.4.", "-" }, { ".1.2.3.4", "-" }, { "1.2.3.256", "-" }, { "01.2.3.4", "-" },
		{ "1.2.3.4 ", "-" }, { "1.2.3.4/", "-" }, { "1.2.3.4/33", "-" }, { "1.2.3.4/08", "-" }, { "1.2.3.4/+8", "-" }, { "1.2.3.4/8/8", "-" },
		{ "1.2.3.99999999999", "-" }, { "1.2.3.4/99999999999", "-" }, { "/8", "-" }, { ":", "-" }, { ":::", "-" }, { "1:", "-" }, { ":1", "-" },
		{ "1::2::3", "-" }, { "1:2:3:4:5:6:7", "-" }, { "1:2:3:4:5:6:7:8:9", "-" }, { "1:2:3:4:5:6:7:8::", "-" }, { "::1:2:3:4:5:6:7:8", "-" },
		{ "12345::", "-" }, { "::g", "-" }, { "::1/129", "-" }, { "[::1]", "-" }, { "fe80::1%eth0", "-" }, { "1:2:3:4:5:6:7:1.2.3.4", "-" },
		{ "::1.2.3.4:5", "-" }, { "::ffff:1.2.3", "-" }, { "1.2.3.4:80", "-" }, { "::1a.2.3.4", "-" }, { "1.2.3.4::", "-" },
	};
	char got[IP_TEXT_MAX + 1];
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		ck_assert_msg(!strcmp(printed(cases[i][0], got), cases[i][1]), "%s: %s, not %s", cases[i][0], printed(cases[i][0], got), cases[i][1]);
}
END_TEST

START_TEST(test_examples)
{
	static const char *const cases[][2] = {
		{ "ip_in('10.255.255.255', '10.0.0.0/8')", "true" },
		{ "ip_in('11.0.0.0', '10.0.0.0/8')", "false" },
		{ "ip_in('11.0.0.0', '10.9.9.9/7')", "true" },
		{ "ip_in('11.0.0.0', '0.0.0.0/0')", "true" },
		{ "ip_in('10.0.0.1', '10.0.0.1')", "true" },
		{ "ip_in('10.0.0.1', '10.0.0.2')", "false" },
		{ "ip_in('10.1.0.0/16', '10.0.0.0/8')", "true" },
		{ "ip_in('10.0.0.0/8', '10.1.0.0/16')", "false" },
		{ "ip_in('2001:db8:ffff::1', '2001:db8::/32')", "true" },
		{ "ip_in('2001:db9::1', '2001:db8::/32')", "false" },
		{ "ip_in('::1', '0.0.0.0/0')", "false" },
		{ "ip_in('1.2.3.4', '::/0')", "false" },
		{ "ip_in('::ffff:10.0.0.1', '10.0.0.0/8')", "false" },
		{ "ip_in('::ffff:10.0.0.1', '::ffff:10.0.0.0/104')", "true" },
		{ "ip_in('x', '10.0.0.0/8')", "NULL" },
		{ "ip_in('', '10.0.0.0/8')", "NULL" },
		{ "ip_in('10.0.0.1', '10.0.0' || '.0/8')", "true" },
		{ "ip_net('10.1.2.3', 24)", "10.1.2.0/24" },
		{ "ip_net('10.1.2.3/8', 24)", "10.1.2.0/24" },
		{ "ip_net('10.1.2.3', 0)", "0.0.0.0/0" },
		{ "ip_net('10.1.2.3', 32)", "10.1.2.3/32" },
		{ "ip_net('10.1.2.3', 33)", "NULL" },
		{ "ip_net('10.1.2.3', -1)", "NULL" },
		{ "ip_net('10.1.2.3', 8.5)", "NULL" },
		{ "ip_net('10.1.2', 8)", "NULL" },
		{ "ip_net('2001:db8:1:2:3::', 48)", "2001:db8:1::/48" },
		{ "ip_net('2001:db8::', 129)", "NULL" },
	};
	char got[1000];
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		ck_assert_msg(!strcmp(exprs_constant(cases[i][0], got), cases[i][1]), "%s: %s", cases[i][0], got);
}
END_TEST

/* A network that is none is told before any record is read; one that comes with the record gives NULL. */
START_TEST(test_network)
{
	static const char *const wrong[] = { "ip_in(a, '10.0.0/8')", "ip_in(a, '10.0.0.0/33')", "ip_in(a, 'example.org')", "ip_in(a, 10)", "ip_in(n, '10.0.0.0/8')" };
	struct exprs x;
	exprs_open(&x);
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		x.err = (struct err){ 0 };
		ck_assert_msg(!exprs_bind(&x, wrong[i]) && x.err.code == ERR_USAGE, "%s", wrong[i]);
	}
	x.err = (struct err){ 0 };
	struct value a[3] = { raw("10.0.0.1"), raw("10.0.0.1"), raw("10.0.0.1") }, b[3] = { raw("10.0.0.0/8"), raw("10.0.0/8"), value_null() }, *out;
	x.col[COL_A].v = a;
	x.col[COL_B].v = b;
	x.batch.n = 3;
	ck_assert_int_eq(expr_eval(exprs_bound(&x, "ip_in(a, b)"), &x.batch, &out), 0);
	ck_assert(out[0].type == V_BOOL && out[0].u.i == 1 && out[1].type == V_NULL && out[2].type == V_NULL);
	exprs_close(&x);
}
END_TEST

/* ---- random ones --------------------------------------------------------------------------- */

static uint64_t draw(uint64_t *seed, uint64_t n)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (*seed >> 33) % n;
}

/* Few different groups, so that runs of zeros and networks that hold something occur. */
static size_t random_ipv6(uint64_t *seed, char *out)
{
	static const char *const groups[] = { "0", "0", "0", "0000", "1", "DB8", "2001", "ffff", "0a0" };
	int gap = (int)draw(seed, 16), dotted = !draw(seed, 4), n = dotted ? 6 : 8;
	size_t at = 0;
	for (int i = 0; i < n; i++) {
		if (i == gap) {
			at += (size_t)sprintf(out + at, i ? ":" : "::");
			i += (int)draw(seed, 3);
		} else {
			at += (size_t)sprintf(out + at, "%s%s", groups[draw(seed, 9)], i + 1 < n || dotted ? ":" : "");
		}
	}
	if (dotted)
		at += (size_t)sprintf(out + at, "%d.0.2.%d", (int)draw(seed, 258), (int)draw(seed, 256));
	return at;
}

/* An address, some with a prefix, some broken in one place. */
static void random_address(uint64_t *seed, char out[ADDRESS])
{
	size_t n;
	if (draw(seed, 2))
		n = (size_t)sprintf(out, "%d.%d.%d.%d", (int)draw(seed, 3), (int)draw(seed, 258), (int)draw(seed, 3) * 127, (int)draw(seed, 2) * 255);
	else
		n = random_ipv6(seed, out);
	if (!draw(seed, 3))
		n += (size_t)sprintf(out + n, "/%d", (int)draw(seed, draw(seed, 2) ? 34 : 130));
	if (!draw(seed, 5))
		out[draw(seed, n)] = ".:/0f9g"[draw(seed, 7)];
}

/* For "x y bits": is x in y, the network of x. A prefix has no zero in front, and an IPv4 address in IPv6 is shown as one. */
static const char script[] =
	"import sys, re, ipaddress as ip\n"
	"def read(x):\n"
	"    if not re.search(r\"^[^/]+(/(0|[1-9][0-9]*))?$\", x): raise ValueError\n"
	"    return ip.ip_interface(x)\n"
	"def net(x, bits):\n"
	"    n = ip.ip_network((read(x).ip, bits), strict=False)\n"
	"    m = n.version == 6 and n.network_address.ipv4_mapped\n"
	"    return f\"::ffff:{m}/{bits}\" if m else str(n)\n"
	"def within(x, y):\n"
	"    x, y = read(x).network, read(y).network\n"
	"    return str(x.version == y.version and x.subnet_of(y)).lower()\n"
	"def given(f, *a):\n"
	"    try: return f(*a)\n"
	"    except ValueError: return \"NULL\"\n"
	"for line in open(sys.argv[1]):\n"
	"    x, y, bits = line.rstrip(\"\\n\").split(\" \")\n"
	"    print(given(within, x, y), given(net, x, int(bits)))\n";

START_TEST(test_random)
{
	static char x[RANDOM][ADDRESS], y[RANDOM][ADDRESS];
	static struct value a[RANDOM], b[RANDOM], n[RANDOM];
	struct value *in, *net;
	struct python py;
	struct exprs e;
	uint64_t seed = 4291;
	FILE *questions = python_open(&py);
	if (!questions)
		return;
	for (int i = 0; i < RANDOM; i++) {
		random_address(&seed, x[i]);
		random_address(&seed, y[i]);
		a[i] = raw(x[i]);
		b[i] = raw(y[i]);
		n[i] = value_int((int64_t)draw(&seed, draw(&seed, 2) ? 34 : 130));
		fprintf(questions, "%s %s %d\n", x[i], y[i], (int)n[i].u.i);
	}
	python_ask(&py, questions, script);
	exprs_open(&e);
	e.col[COL_A].v = a;
	e.col[COL_B].v = b;
	e.col[COL_N].v = n;
	e.batch.n = RANDOM;
	ck_assert_int_eq(expr_eval(exprs_bound(&e, "ip_in(a, b)"), &e.batch, &in), 0);
	ck_assert_int_eq(expr_eval(exprs_bound(&e, "ip_net(a, n)"), &e.batch, &net), 0);
	int known = 0, within = 0;
	for (int i = 0; i < RANDOM; i++) {
		char line[PYTHON_LINE], got[200], one[100], two[100];
		snprintf(got, sizeof got, "%s %s", shown(&in[i], one), shown(&net[i], two));
		const char *want = python_answer(&py, line);
		ck_assert_msg(!strcmp(got, want), "%s in %s, of %d bits: %s, not %s", x[i], y[i], (int)n[i].u.i, got, want);
		known += net[i].type != V_NULL;
		within += in[i].type == V_BOOL && in[i].u.i;
	}
	ck_assert_int_gt(known, RANDOM / 3);
	ck_assert_int_gt(within, RANDOM / 100);
	python_close(&py);
	exprs_close(&e);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_text, test_examples, test_network, test_random };
	return RUN_TESTS("ip", tests);
}
