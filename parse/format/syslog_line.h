/* A line of syslog and its parts:
 *
 *     <34>1 2003-10-11T22:14:15.003Z mymachine su 77 ID47 [a@1 k="v"] text       RFC 5424; also without <34>, and where the stamp is ISO, without the version 1
 *     <34>Oct 11 22:14:15 mymachine su[77]: text                                RFC 3164, files of syslogd, journalctl
 *     2003-10-11T22:14:15+02:00 mymachine su[77]: text                          the same with an ISO stamp
 *     Sat 2003-10-11 22:14:15 CEST mymachine su[77]: text                       journalctl -o short-full
 *
 * Of RFC 5424 its rules are kept where breaking them would shift the fields; bytes that are no UTF-8 are as good as any. */
#ifndef WEIR_SYSLOG_LINE_H
#define WEIR_SYSLOG_LINE_H
#include "parse/format/clf_request.h"

/* In the order of the columns; p NULL: not there. Message id and structured data of RFC 5424 are in none of them. */
enum syslog_part { SYSLOG_TIME, SYSLOG_HOST, SYSLOG_TAG, SYSLOG_PID, SYSLOG_PRI, SYSLOG_MSG, SYSLOG_PARTS };

/* Takes [p, end), a line without its LF, apart. NULL, or why it cannot be (a constant). */
const char *syslog_split(const char *p, const char *end, struct piece part[SYSLOG_PARTS]);

/* Behind the structured data of RFC 5424 at p: - or [id name="value" ...]...; NULL: it is none. */
const char *syslog_data(const char *p, const char *end);
#endif
