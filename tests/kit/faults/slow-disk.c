/*
 * A slow disk for SQLite, loaded before the C library (LD_PRELOAD): each write to a file whose path begins with
 * SLOW_DISK_FILE takes SLOW_DISK_MS milliseconds. While the directory SLOW_DISK_STATE has a file `blocked`, it waits, and if
 * that has a file `failing`, it fails.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef ssize_t (*write_call)(int, const void *, size_t, off_t);

static int is_slow(int file) {
  const char *wanted = getenv("SLOW_DISK_FILE");
  char link[64], path[4096];
  if (!wanted) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strncmp(path, wanted, strlen(wanted)) == 0;
}

static int is(const char *state) {
  const char *directory = getenv("SLOW_DISK_STATE");
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", directory ? directory : "", state);
  return access(path, F_OK) == 0;
}

static ssize_t slowly(const char *name, int file, const void *bytes, size_t count, off_t at) {
  write_call call = (write_call)dlsym(RTLD_NEXT, name);
  if (!is_slow(file)) return call(file, bytes, count, at);
  const char *ms = getenv("SLOW_DISK_MS");
  usleep(1000 * (ms ? atoi(ms) : 0));
  while (is("blocked")) usleep(1000);
  if (is("failing")) {
    errno = EIO;
    return -1;
  }
  return call(file, bytes, count, at);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) { return slowly("pwrite", file, bytes, count, at); }
ssize_t pwrite64(int file, const void *bytes, size_t count, off_t at) { return slowly("pwrite64", file, bytes, count, at); }
