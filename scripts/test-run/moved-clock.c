/*
 * Moves the time of day of a process by MOVED_CLOCK_S seconds; timers and file times stay real. For `npm run test:repeat`.
 * Not libfaketime: while a process waits, that shows its signal handlers the real time, by which PostgreSQL's timeouts
 * come too early or never.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long offset_s;

__attribute__((constructor)) static void read_offset(void) {
  const char *text = getenv("MOVED_CLOCK_S");
  offset_s = text == NULL ? 0 : atol(text);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int failed = (int)syscall(SYS_clock_gettime, clock, now);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += offset_s;
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec exact;
  int failed = clock_gettime(CLOCK_REALTIME, &exact);
  if (!failed) *now = (struct timeval){exact.tv_sec, exact.tv_nsec / 1000};
  return failed;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result != NULL) *result = now.tv_sec;
  return now.tv_sec;
}
