/* The proleptic Gregorian calendar: days and dates by Howard Hinnant's algorithms (chrono-compatible low-level date algorithms, 2013). */
#include "core/time.h"

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* Years begin in March here, so the day that leap years add is their last. */
int64_t civil_days(int64_t year, int month, int day)
{
	int64_t y = year - (month <= 2), era = floor_div(y, 400), yoe = y - era * 400;
	int64_t doy = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1, doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
	return era * 146097 + doe - 719468;
}

static bool leap(int64_t year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

bool civil_valid(int64_t year, int month, int day)
{
	static const uint8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1] + (month == 2 && leap(year));
}

void civil_of(int64_t local, struct civil *out)
{
	int64_t days = floor_div(local, DAY_MS), over = local % DAY_MS, ms = over < 0 ? over + DAY_MS : over; /* days * DAY_MS may lie before all time */
	int64_t z = days + 719468, era = floor_div(z, 146097), doe = z - era * 146097;
	int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365, doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
	out->day = (int)(doy - (153 * mp + 2) / 5 + 1);
	out->month = (int)(mp < 10 ? mp + 3 : mp - 9);
	out->year = yoe + era * 400 + (out->month <= 2);
	out->hour = (int)(ms / 3600000);
	out->minute = (int)(ms / 60000 % 60);
	out->second = (int)(ms / 1000 % 60);
	out->ms = (int)(ms % 1000);
	out->weekday = (int)((days % 7 + 11) % 7);
	out->yearday = (int)(days - civil_days(out->year, 1, 1));
}
