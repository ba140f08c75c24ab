/* Parts of URLs: the examples of RFC 3986, what is malformed, and random ones as python3's urllib has them. */
#include "unit/exprs.h"
#include "unit/python.h"

enum { RANDOM = 4000, URL = 200 };

/* Column a is what is asked about. */
static const char *asked(const char *expr, const char *a, char *out)
{
	struct exprs x;
	struct value v = raw(a), *result;
	exprs_open(&x);
	x.col[COL_A].v = &v;
	x.batch.n = 1;
	ck_assert_int_eq(expr_eval(exprs_bound(&x, expr), &x.batch, &result), 0);
	const char *text = shown(result, out);
	exprs_close(&x);
	return text;
}

static const struct {
	const char *url, *host, *path;
} urls[] = {
	/* RFC 3986, 1.1.2, 3 and appendix B */
	{ "ftp://ftp.is.co.za/rfc/rfc1808.txt", "ftp.is.co.za", "/rfc/rfc1808.txt" },
	{ "http://www.ietf.org/rfc/rfc2396.txt", "www.ietf.org", "/rfc/rfc2396.txt" },
	{ "ldap://[2001:db8::7]/c=GB?objectClass?one", "2001:db8::7", "/c=GB" },
	{ "mailto:John.Doe@example.com", "NULL", "John.Doe@example.com" },
	{ "news:comp.infosystems.www.servers.unix", "NULL", "comp.infosystems.www.servers.unix" },
	{ "tel:+1-816-555-1212", "NULL", "+1-816-555-1212" },
	{ "telnet://192.0.2.16:80/", "192.0.2.16", "/" },
	{ "urn:oasis:names:specification:docbook:dtd:xml:4.1.2", "NULL", "oasis:names:specification:docbook:dtd:xml:4.1.2" },
	{ "foo://example.com:8042/over/there?name=ferret#nose", "example.com", "/over/there" },
	{ "http://www.ics.uci.edu/pub/ietf/uri/#Related", "www.ics.uci.edu", "/pub/ietf/uri/" },
	/* references, 5.4 */
	{ "g:h", "NULL", "h" },
	{ "./g", "NULL", "./g" },
	{ "//g", "g", "/" },
	{ "?y", "NULL", "" },
	{ "g?y#s", "NULL", "g" },
	{ "#s", "NULL", "" },
	{ ";x", "NULL", ";x" },
	{ "", "NULL", "" },
	{ "g?y/../x", "NULL", "g" },
	{ "g#s/../x?y", "NULL", "g" },
	/* what else there is */
	{ "HTTP://User:Pa@ss@WWW.Example.COM:/A%2fB", "www.example.com", "/A%2fB" },
	{ "http://a.example", "a.example", "/" },
	{ "http://a.example?x/y", "a.example", "/" },
	{ "http://[::FFFF:10.0.0.1]:8080/", "::ffff:10.0.0.1", "/" },
	{ "http://[fe80::1%25eth0]/x", "fe80::1%25eth0", "/x" },
	{ "http://[v1.a:b]/x", "v1.a:b", "/x" },
	{ "http://b%C3%BCcher.example/", "b%c3%bccher.example", "/" },
	{ "http://bücher.example/ü", "bücher.example", "/ü" },
	{ "file:///etc/passwd", "NULL", "/etc/passwd" },
	{ "localhost:8080/x", "NULL", "8080/x" },
	{ "1.2.3.4:8080/x", "NULL", "1.2.3.4:8080/x" },
	{ "/login?to=http://a.example/", "NULL", "/login" },
	{ "-://a/b", "NULL", "-://a/b" },
	/* a host that cannot be one */
	{ "http://[::1/x", "NULL", "/x" },
	{ "http://[::1]x/x", "NULL", "/x" },
	{ "http://[10.0.0.1]/x", "NULL", "/x" },
	{ "http://[::1/64]/x", "NULL", "/64]/x" },
	{ "http://[::1%eth0]/x", "NULL", "/x" },
	{ "http://[::1%25]/x", "NULL", "/x" },
	{ "http://[v.a]/x", "NULL", "/x" },
	{ "http://[v1]/x", "NULL", "/x" },
	{ "http://[]/x", "NULL", "/x" },
	{ "http://::1/x", "NULL", "/x" },
	{ "http://a:8x/x", "NULL", "/x" },
	{ "http://a b/x", "NULL", "/x" },
	{ "http://a%2/x", "NULL", "/x" },
	{ "http://a%zz/x", "NULL", "/x" },
	{ "http://a]/x", "NULL", "/x" },
	{ "http://:80/x", "NULL", "/x" },
	{ "http://me@/x", "NULL", "/x" },
};

START_TEST(test_parts)
{
	char got[1000];
	for (size_t i = 0; i < sizeof urls / sizeof urls[0]; i++) {
		const char *host = asked("url_host(a)", urls[i].url, got);
		ck_assert_msg(!strcmp(host, urls[i].host), "host of %s: %s", urls[i].url, host);
		const char *path = asked("url_path(a)", urls[i].url, got);
		ck_assert_msg(!strcmp(path, urls[i].path), "path of %s: %s", urls[i].url, path);
	}
}
END_TEST

START_TEST(test_query)
{
	static const char *const cases[][3] = {
		{ "http://a.example/b?name=ferret#nose", "'name'", "ferret" },
		{ "http://a.example/b#?name=ferret", "'name'", "NULL" },
		{ "/?a=1&b=2&a=3", "'a'", "1" },
		{ "/?aa=1&a=2", "'a'", "2" },
		{ "/?a=1&aa=2", "'aa'", "2" },
		{ "/?a=b=c?d", "'a'", "b=c?d" },
		{ "/?a&b", "'a'", "" },
		{ "/?b=&a", "'b'", "" },
		{ "/?a", "'b'", "NULL" },
		{ "/?", "'a'", "NULL" },
		{ "/a=1", "'a'", "NULL" },
		{ "/?&&=x&a=1", "''", "x" },
		{ "/?&&a=1&", "''", "NULL" },
		{ "/?q=a+b%20c%2Bd%26e", "'q'", "a b c+d&e" },
		{ "/?q=100%&r=%zz%4&s=%e2%82%ac", "'q'", "100%" },
		{ "/?q=100%&r=%zz%4&s=%e2%82%ac", "'r'", "%zz%4" },
		{ "/?q=100%&r=%zz%4&s=%e2%82%ac", "'s'", "€" },
		{ "/?%71+x%5b%5D=1", "'q x[]'", "1" },
		{ "/?%71=1", "'%71'", "NULL" },
		{ "/?a=%09", "'a'", "\t" },
		{ "/?A=1", "'a'", "NULL" },
		{ "b=1", "'b'", "NULL" },
	};
	char got[1000], expr[100];
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		snprintf(expr, sizeof expr, "url_query(a, %s)", cases[i][1]);
		const char *value = asked(expr, cases[i][0], got);
		ck_assert_msg(!strcmp(value, cases[i][2]), "%s of %s: %s", cases[i][1], cases[i][0], value);
	}
}
END_TEST

/* A piece is as clean as the whole; what was decoded may hold anything. */
START_TEST(test_clean)
{
	struct exprs x;
	struct value a[2] = { raw("//A/b?c=d&e=%09"), raw("//A/b?c=d&e=%09") }, *out;
	static const struct {
		const char *expr;
		bool clean;
	} cases[] = { { "url_path(a)", true }, { "url_host(a)", true }, { "url_query(a, 'c')", true }, { "url_query(a, 'e')", false } };
	exprs_open(&x);
	a[0].flags = VF_CLEAN;
	x.col[COL_A].v = a;
	x.batch.n = 2;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		ck_assert_int_eq(expr_eval(exprs_bound(&x, cases[i].expr), &x.batch, &out), 0);
		ck_assert_msg(!!(out[0].flags & VF_CLEAN) == cases[i].clean && !(out[1].flags & VF_CLEAN), "%s", cases[i].expr);
	}
	exprs_close(&x);
}
END_TEST

/* ---- random ones --------------------------------------------------------------------------- */

static uint64_t draw(uint64_t *seed, uint64_t n)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (*seed >> 33) % n;
}

static void put_one(uint64_t *seed, char *out, const char *const *choice, size_t n) { strcat(out, choice[draw(seed, n)]); }

/* Up to nine characters of those. */
static void put_some(uint64_t *seed, char *out, const char *characters)
{
	for (uint64_t n = draw(seed, 10); n; n--)
		strncat(out, characters + draw(seed, strlen(characters)), 1);
}

static void random_url(uint64_t *seed, char out[URL])
{
	static const char *const schemes[] = { "http:", "https:", "x+1.-:", "", "", "1a:", "a_b:", ":" };
	static const char *const users[] = { "", "", "", "me@", "me:secret@", "@", "a@b@", ":@" };
	static const char *const hosts[] = { "example.org", "Example.ORG", "[::1]", "[2001:DB8::a]", "[1:2]", "[::1", "", "a b", "10.0.0.1", "a%2Fb", "a%b", "a!$&'()*+,;=b", "a<b" };
	static const char *const ports[] = { "", "", "", ":", ":80", ":8a", ":80:80" };
	bool authority = draw(seed, 4);
	out[0] = '\0';
	put_one(seed, out, schemes, 8);
	if (authority) {
		strcat(out, "//");
		put_one(seed, out, users, 8);
		put_one(seed, out, hosts, 13);
		put_one(seed, out, ports, 7);
	}
	if (draw(seed, 4)) {
		strcat(out, authority || draw(seed, 4) ? "/" : "");
		put_some(seed, out, "ab/%2:;=&+@.");
	}
	if (draw(seed, 4)) {
		strcat(out, "?");
		put_some(seed, out, "aaaab==&&&+%/?");
		put_some(seed, out, "ab==&&%6261");
	}
	if (!draw(seed, 3)) {
		strcat(out, "#");
		put_some(seed, out, "a=/?#&");
	}
}

/* Host (those of RFC 3986 only), path, value of a, with tabs between. */
static const char script[] =
	"import sys, re, ipaddress\n"
	"from urllib.parse import urlsplit, parse_qsl\n"
	"sys.stdout.reconfigure(encoding=\"latin-1\")\n"
	"def host(x):\n"
	"    try: u = urlsplit(x); u.port\n"
	"    except ValueError: return None\n"
	"    if u.netloc.rpartition(\"@\")[2][:1] == \"[\":\n"
	"        try: ipaddress.IPv6Address(u.hostname)\n"
	"        except ValueError: return None\n"
	"        return u.hostname\n"
	"    plain = re.fullmatch(r\"([a-zA-Z0-9._~!$&\\x27()*+,;=-]|%[0-9a-fA-F]{2})+\", u.hostname or \"\")\n"
	"    return u.hostname.lower() if plain and u.netloc.rpartition(\"@\")[2].count(\":\") < 2 else None\n"
	"def cut(x):\n"
	"    m = re.fullmatch(r\"(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(//[^/?#]*)?([^?#]*)(?:\\?([^#]*))?(#.*)?\", x)\n"
	"    try: u = urlsplit(x)\n"
	"    except ValueError: return m[2], m[3], m[4]\n"
	"    assert (u.path, u.query) == (m[3], m[4] or \"\"), x\n"
	"    return m[2], u.path, u.query\n"
	"for line in open(sys.argv[1]):\n"
	"    x = line.rstrip(\"\\n\")\n"
	"    authority, path, query = cut(x)\n"
	"    values = [v for k, v in parse_qsl(query or \"\", keep_blank_values=True, encoding=\"latin-1\") if k == \"a\"]\n"
	"    value = values[0] if values else \"NULL\"\n"
	"    print(host(x) or \"NULL\", path or (\"/\" if authority is not None else \"\"), value, sep=\"\\t\")\n";

START_TEST(test_random)
{
	static char x[RANDOM][URL];
	static struct value a[RANDOM];
	struct value *host, *path, *value;
	struct python py;
	struct exprs e;
	uint64_t seed = 3986;
	FILE *questions = python_open(&py);
	if (!questions)
		return;
	for (int i = 0; i < RANDOM; i++) {
		random_url(&seed, x[i]);
		a[i] = raw(x[i]);
		fprintf(questions, "%s\n", x[i]);
	}
	python_ask(&py, questions, script);
	exprs_open(&e);
	e.col[COL_A].v = a;
	e.batch.n = RANDOM;
	ck_assert_int_eq(expr_eval(exprs_bound(&e, "url_host(a)"), &e.batch, &host), 0);
	ck_assert_int_eq(expr_eval(exprs_bound(&e, "url_path(a)"), &e.batch, &path), 0);
	ck_assert_int_eq(expr_eval(exprs_bound(&e, "url_query(a, 'a')"), &e.batch, &value), 0);
	int hosts = 0, values = 0;
	for (int i = 0; i < RANDOM; i++) {
		char line[PYTHON_LINE], got[3 * URL], one[URL], two[URL], three[URL];
		snprintf(got, sizeof got, "%s\t%s\t%s", shown(&host[i], one), shown(&path[i], two), shown(&value[i], three));
		const char *want = python_answer(&py, line);
		ck_assert_msg(!strcmp(got, want), "%s: %s, not %s", x[i], got, want);
		hosts += host[i].type != V_NULL;
		values += value[i].type != V_NULL;
	}
	ck_assert_int_gt(hosts, RANDOM / 10);
	ck_assert_int_gt(values, RANDOM / 10);
	python_close(&py);
	exprs_close(&e);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_parts, test_query, test_clean, test_random };
	return RUN_TESTS("url", tests);
}
