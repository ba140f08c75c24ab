/* The proleptic Gregorian calendar: days and dates by Howard Hinnant's algorithms (chrono-compatible low-level date algorithms, 2013). */
#include "core/time.h"

enum {
	CYCLE_DAYS = 146097, /* of 400 years */
	EPOCH_DAYS = 719468, /* from 0000-03-01 to 1970-01-01 */
	CYCLES = 2500,       /* a million years, so that no year that is asked for is negative, and 32 bits do */
};

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* Years begin in March here, so the day that leap years add is their last. */
int64_t civil_days(int64_t year, int month, int day)
{
	static const uint16_t before[] = { 306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275 };
	uint32_t y = (uint32_t)(year + CYCLES * 400 - (month <= 2));
	return (int64_t)(365 * y + y / 4 - y / 100 + y / 400 + before[month - 1] + (uint32_t)day - 1) - CYCLES * CYCLE_DAYS - EPOCH_DAYS;
}

static bool leap(int64_t year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 16 == 0);
}

bool civil_valid(int64_t year, int month, int day)
{
	static const uint8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1] + (month == 2 && leap(year));
}

int civil_weekday(int64_t days)
{
	return (int)((days % 7 + 11) % 7);
}

void civil_of(int64_t local, struct civil *out)
{
	int64_t days = floor_div(local, DAY_MS), over = local % DAY_MS, cycle = floor_div(days + EPOCH_DAYS, CYCLE_DAYS);
	uint32_t ms = (uint32_t)(over < 0 ? over + DAY_MS : over), day = (uint32_t)(days + EPOCH_DAYS - cycle * CYCLE_DAYS);
	uint32_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365, of_year = day - (365 * year + year / 4 - year / 100), month = (5 * of_year + 2) / 153;
	out->day = (int)(of_year - (153 * month + 2) / 5 + 1);
	out->month = (int)(month < 10 ? month + 3 : month - 9);
	out->year = cycle * 400 + year + (month >= 10);
	out->hour = (int)(ms / 3600000);
	out->minute = (int)(ms / 60000 % 60);
	out->second = (int)(ms / 1000 % 60);
	out->ms = (int)(ms % 1000);
	out->weekday = civil_weekday(days);
	out->yearday = (int)(month < 10 ? of_year + 59 + (leap(out->year)) : of_year - 306);
}
