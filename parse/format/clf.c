/* Access logs: clf (Common Log Format), combined, and vcombined, as Apache and nginx write them.
 *
 *     vhost:port ip ident user [time] "request" status bytes "referer" "agent" x1 x2
 *
 * A bare field ends at a blank, several blanks count as one. \" and \\ are escapes, all others stay as they are. `-`, bare, in quotes or in brackets, is
 * NULL. What stands behind the last field never makes a record bad. */
#include "parse/format/logformat.h"

extern const struct format clf_format, combined_format, vcombined_format;

#define FIELD(name_, behind_, end_) { .name = name_, .behind = behind_, .nbehind = sizeof(behind_) - 1, .end = end_ }
#define BARE(name, behind) FIELD(name, behind, LOG_FIRST)
#define QUOTED(name, behind) FIELD(name, behind, LOG_QUOTE)
#define UP_TO_STATUS BARE("ip", " "), BARE("ident", " "), BARE("user", " ["), BARE("time", "] \""), QUOTED("request", "\" "), BARE("status", " ")
#define UP_TO_AGENT UP_TO_STATUS, BARE("bytes", " \""), QUOTED("referer", "\" \""), QUOTED("agent", "\"")

static const struct log_field clf_fields[] = { UP_TO_STATUS, FIELD("bytes", "", LOG_BLANK) };
static const struct log_field combined_fields[] = { UP_TO_AGENT };
static const struct log_field vcombined_fields[] = { BARE("vhost", " "), UP_TO_AGENT };

/* The columns of the fields from f on. */
#define COLUMN(name, field) { name, field, LOG_WHOLE, 0 }
#define PIECE(name, field, piece) { name, field, piece, 0 }
#define REQUEST(f)                                                                                                                     \
	COLUMN("request", f), PIECE("method", f, LOG_METHOD), PIECE("url", f, LOG_URL), PIECE("path", f, LOG_PATH), PIECE("query", f, LOG_QUERY), \
		PIECE("proto", f, LOG_PROTO)
#define COMMON(f)                                                                                                                      \
	COLUMN("ip", f), COLUMN("ident", (f) + 1), COLUMN("user", (f) + 2), COLUMN("time", (f) + 3), REQUEST((f) + 4), COLUMN("status", (f) + 5), \
		COLUMN("bytes", (f) + 6)
#define SURPLUS(f) COLUMN("x1", f), COLUMN("x2", (f) + 1)
#define COMBINED(f) COMMON(f), COLUMN("referer", (f) + 7), COLUMN("agent", (f) + 8), SURPLUS((f) + 9)

static const struct log_column clf_columns[] = { COMMON(0), SURPLUS(7) };
static const struct log_column combined_columns[] = { COMBINED(0) };
static const struct log_column vcombined_columns[] = { { "vhost", 0, LOG_BEFORE, ':' }, { "port", 0, LOG_BEHIND, ':' }, COMBINED(1) };

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define SHAPE(name)                                                                                                                    \
	{                                                                                                                              \
		.head = "", .nfield = COUNT(name##_fields), .field = name##_fields, .ncolumn = COUNT(name##_columns), .column = name##_columns, \
		.escape = LOG_BACKSLASH, .loose = true, .surplus = true                                                                \
	}

static const struct log_shape clf_shape = SHAPE(clf), combined_shape = SHAPE(combined), vcombined_shape = SHAPE(vcombined);

static const struct log_shape *shape_of(const struct format *format)
{
	return format == &clf_format ? &clf_shape : format == &combined_format ? &combined_shape : &vcombined_shape;
}

static int schema(const struct input_options *opt, struct schema *schema)
{
	return log_schema(shape_of(opt->format), schema);
}

static int open(struct decoder *d)
{
	return log_open(d, shape_of(d->type));
}

#define MORE                                                                                    \
	"A request that is not METHOD URL PROTOCOL leaves the parts NULL; query is what\n"     \
	"follows the ? of the url. Up to two surplus fields are x1 and x2. Logs of other\n"     \
	"shapes: -f nginx:LOG_FORMAT, -f apache:LOG_FORMAT.\n"

#define FORMAT(name_, help_)                                                                                                                            \
	const struct format name_##_format = {                                                                                                          \
		.name = #name_, .help = help_, .more = MORE, .time = "time", .time_kind = STAMP_CLF, .state_size = sizeof(struct log_state), .schema = schema, \
		.open = open, .decode = decode_lines, .fill = log_fill,                                                                                   \
	}

FORMAT(clf, "Common Log Format of web servers; - is NULL");
FORMAT(combined, "Combined Log Format: clf with referer and agent");
FORMAT(vcombined, "combined behind the virtual host (and :port)");
