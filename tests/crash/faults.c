/* What a process asks of the disk, counted, and cut at a chosen call: put before a program by LD_PRELOAD.

   Every call of the C library that changes a file or a name below the watched folder is counted: made, written, cut to length,
   synced, renamed, removed, linked. Python, SQLite and the lexical engine (Rust) all come through here; what is written through a
   mapping of memory does not. At the chosen call one fault strikes: the process ends before or after it, half of a write is done,
   what no fsync has covered is taken back as by a power cut, or the call fails.

   Beside that, what is read of chosen files can be refused with EIO until it is taken back, mappings of memory included, as of a disk
   that lost some of its sectors; the C library's own streams (fread), which only NumPy uses, are refused when they are opened.

   A power cut is strict: content is on disk by the fsync of its file, a name by the fsync of its folder. For that the first write
   after a sync keeps a copy of the file, and each change of a name what undoes it.

   Where nothing is to strike, a process may be watched instead: it waits before each call, and with half of each write done, until
   whoever watches has read the folder and what would undo it. So one run shows what every way to end it would leave. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum fault { NONE, BEFORE, AFTER, TORN, CUT, CUT_DATA, FAIL_IO, FAIL_SPACE };

static char root[PATH_MAX], shadow[PATH_MAX];
static size_t root_length;
static long counted, strike_at;
static int fault, failures_left, report = -1, armed;
static __thread int inside;
static pthread_mutex_t one = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static long saved_count;

/* -- what a power cut would take back */

struct content { ino_t inode; int own; int copy; char place[PATH_MAX]; struct content *next; };
enum change { MADE, GONE, MADE_FOLDER, GONE_FOLDER, MOVED_FOLDER };
struct name { enum change change; char folder[PATH_MAX]; char path[PATH_MAX]; char other[PATH_MAX]; char saved[PATH_MAX]; struct name *next; };
static struct content *contents;
static struct name *names; /* the newest first */

static void folder_of(const char *path, char *folder) {
    strcpy(folder, path);
    char *slash = strrchr(folder, '/');
    if (slash) *slash = 0;
}

static void to_shadow(char *place) { snprintf(place, PATH_MAX, "%.3900s/%ld", shadow, ++saved_count); }

static void pass_on(int from, int to) {
    char buffer[65536];
    off_t at = 0;
    ssize_t got;
    while ((got = pread(from, buffer, sizeof buffer, at)) > 0) {
        if (syscall(SYS_pwrite64, to, buffer, got, at) != got) _exit(98);
        at += got;
    }
    if (syscall(SYS_ftruncate, to, at)) _exit(98);
}

/* Keep what a file holds before it is changed for the first time since its last sync. */
static void keep_content(const char *path) {
    struct stat found;
    int own = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
    if (own < 0) return;
    if (fstat(own, &found) || !S_ISREG(found.st_mode)) { close(own); return; }
    for (struct content *each = contents; each; each = each->next)
        if (each->inode == found.st_ino) { close(own); return; }
    struct content *made = calloc(1, sizeof *made);
    to_shadow(made->place);
    int copy = syscall(SYS_openat, AT_FDCWD, made->place, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (copy < 0) _exit(98);
    pass_on(own, copy);
    made->inode = found.st_ino;
    made->own = own;
    made->copy = copy;
    made->next = contents;
    contents = made;
}

static void synced_content(ino_t inode) {
    for (struct content **at = &contents; *at; at = &(*at)->next)
        if ((*at)->inode == inode) {
            struct content *done = *at;
            *at = done->next;
            close(done->own);
            close(done->copy);
            free(done);
            return;
        }
}

static void synced_names(const char *folder) {
    for (struct name **at = &names; *at;)
        if (!folder || !strcmp((*at)->folder, folder)) {
            struct name *done = *at;
            *at = done->next;
            free(done);
        } else at = &(*at)->next;
}

static struct name *changed(enum change change, const char *path) {
    struct name *made = calloc(1, sizeof *made);
    made->change = change;
    strcpy(made->path, path);
    folder_of(path, made->folder);
    made->next = names;
    return names = made;
}

/* Keep the file of a name by a second link, so that its name can be given back; empty where there is none. */
static void save(const char *path, char *saved) {
    struct stat found;
    saved[0] = 0;
    if (lstat(path, &found) || S_ISDIR(found.st_mode)) return;
    to_shadow(saved);
    if (syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, saved, 0)) saved[0] = 0;
}

static void cut_power(int names_too) {
    for (struct content *each = contents; each; each = each->next) pass_on(each->copy, each->own);
    if (!names_too) return;
    for (struct name *each = names; each; each = each->next) switch (each->change) {
        case MADE:
            syscall(SYS_unlinkat, AT_FDCWD, each->path, 0);
            /* fall through: what had the name before */
        case GONE:
            if (each->saved[0]) syscall(SYS_linkat, AT_FDCWD, each->saved, AT_FDCWD, each->path, 0);
            break;
        case MADE_FOLDER: {
            char place[PATH_MAX];
            to_shadow(place);
            syscall(SYS_renameat2, AT_FDCWD, each->path, AT_FDCWD, place, 0);
            break;
        }
        case GONE_FOLDER: syscall(SYS_mkdirat, AT_FDCWD, each->path, 0700); break;
        case MOVED_FOLDER: syscall(SYS_renameat2, AT_FDCWD, each->path, AT_FDCWD, each->other, 0); break;
    }
}

/* -- which calls count */

static int is_watched(const char *full) {
    return !strncmp(full, root, root_length) && (full[root_length] == '/' || !full[root_length]);
}

static int full_path(int at, const char *path, char *full) {
    if (path[0] == '/') { strncpy(full, path, PATH_MAX - 1); full[PATH_MAX - 1] = 0; }
    else {
        char link[64], base[PATH_MAX];
        if (at == AT_FDCWD) strcpy(link, "/proc/self/cwd"); else snprintf(link, sizeof link, "/proc/self/fd/%d", at);
        ssize_t length = readlink(link, base, sizeof base - 1);
        if (length < 0) return 0;
        base[length] = 0;
        if (snprintf(full, PATH_MAX, "%s/%s", base, path) >= PATH_MAX) return 0;
    }
    return is_watched(full);
}

static int path_of(int descriptor, char *full) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, full, PATH_MAX - 1);
    if (length < 0) return 0;
    full[length] = 0;
    if (!is_watched(full)) return 0;
    return length < 10 || strcmp(full + length - 10, " (deleted)");
}

static int is_write(const char *kind) { return !strcmp(kind, "write") || !strcmp(kind, "copy"); }
static int takes_room(const char *kind) {
    return is_write(kind) || !strcmp(kind, "create") || !strcmp(kind, "mkdir") || !strcmp(kind, "link") || !strcmp(kind, "rename");
}

/* -- what is shown to whoever watches */

static int answers = -1;

static void tell(int descriptor, const char *field) {
    size_t length = strlen(field) + 1;
    if (syscall(SYS_write, descriptor, field, length) != (ssize_t)length) _exit(98);
}

/* What a power cut would take back, in the order in which it does: fields that a zero ends. */
static void tell_undone(void) {
    char place[PATH_MAX], number[32];
    snprintf(place, sizeof place, "%.3900s/undone", shadow);
    int told = syscall(SYS_openat, AT_FDCWD, place, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (told < 0) _exit(98);
    for (struct content *each = contents; each; each = each->next) {
        snprintf(number, sizeof number, "%lu", (unsigned long)each->inode);
        tell(told, "content"); tell(told, number); tell(told, each->place);
    }
    for (struct name *each = names; each; each = each->next) {
        snprintf(number, sizeof number, "%d", each->change);
        tell(told, "name"); tell(told, number); tell(told, each->path); tell(told, each->other); tell(told, each->saved);
    }
    close(told);
}

/* Say where the process is, and wait until that has been looked at. */
static void show(const char *kind, const char *path) {
    char line[PATH_MAX + 64], answer;
    tell_undone();
    int length = snprintf(line, sizeof line, "%ld %s %s\n", counted, kind, path);
    if (syscall(SYS_write, report, line, length) != length) _exit(98);
    while (syscall(SYS_read, answers, &answer, 1) < 0) if (errno != EINTR) _exit(98);
}

static void show_torn(int descriptor, const char *path, off_t position, off_t size) {
    int flags = fcntl(descriptor, F_GETFL);
    show("torn", path + root_length + 1);
    if (flags & O_APPEND) { if (syscall(SYS_ftruncate, descriptor, size)) _exit(98); }
    if (position >= 0) syscall(SYS_lseek, descriptor, position, SEEK_SET);
}

static void die(void) { syscall(SYS_exit_group, 137); }

/* Count a call. 0: do it; 1: do it, then `done` ends the process; 2: do half of it, then end; 3: it fails, with errno set. */
static int begin(const char *kind, const char *path) {
    counted++;
    char line[PATH_MAX + 64];
    int length = snprintf(line, sizeof line, "%ld %s %s\n", counted, kind, path[root_length] ? path + root_length + 1 : ".");
    if (answers >= 0) { show(kind, path[root_length] ? path + root_length + 1 : "."); return 0; }
    if (report >= 0 && (fault == NONE || counted == strike_at)) syscall(SYS_write, report, line, length);
    if (fault == FAIL_SPACE || fault == FAIL_IO) {
        if (counted < strike_at || failures_left <= 0) return 0;
        if (fault == FAIL_SPACE && !takes_room(kind)) return 0;
        failures_left--;
        errno = fault == FAIL_IO ? EIO : ENOSPC;
        return 3;
    }
    if (counted != strike_at) return 0;
    switch (fault) {
        case BEFORE: die(); break;
        case AFTER: return 1;
        case TORN: if (is_write(kind)) return 2; die(); break;
        case CUT: cut_power(1); die(); break;
        case CUT_DATA: cut_power(0); die(); break;
    }
    return 0;
}

/* -- what cannot be read */

static char damaged_root[PATH_MAX], damaged[8 * PATH_MAX]; /* patterns, each ended by a zero, and one more at the end */
static volatile int refusing;
static long refused;

static int is_damaged(const char *full) {
    size_t length = strlen(damaged_root);
    if (strncmp(full, damaged_root, length) || full[length] != '/') return 0;
    for (const char *each = damaged; *each; each += strlen(each) + 1)
        if (!fnmatch(each, full + length + 1, 0)) {
            __atomic_add_fetch(&refused, 1, __ATOMIC_SEQ_CST);
            errno = EIO;
            return 1;
        }
    return 0;
}

static int is_refused(int descriptor) {
    if (!refusing || inside) return 0;
    char link[64], full[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, full, PATH_MAX - 1);
    if (length < 0) return 0;
    full[length] = 0;
    return is_damaged(full);
}

#define ENTER if (!armed || inside) goto plain; inside = 1; int kept = errno; pthread_mutex_lock(&one); errno = kept;
#define LEAVE do { int end = errno; pthread_mutex_unlock(&one); inside = 0; errno = end; } while (0)

/* -- the calls */

static int opened(int at, const char *path, int flags, mode_t mode) {
    char full[PATH_MAX];
    struct stat found;
    ENTER
    int result;
    int creates = 0, cuts = 0, what = 0;
    if ((flags & (O_CREAT | O_TRUNC)) && (flags & O_TMPFILE) != O_TMPFILE && full_path(at, path, full)) {
        int there = !lstat(full, &found);
        creates = !there && (flags & O_CREAT);
        cuts = there && (flags & O_TRUNC) && !(flags & O_EXCL) && S_ISREG(found.st_mode) && found.st_size;
        if (creates) {
            /* a folder that is not there is the caller's to hear of */
            char folder[PATH_MAX];
            folder_of(full, folder);
            if (access(folder, F_OK)) creates = 0;
        }
    }
    if (cuts) keep_content(full);
    if (creates || cuts) what = begin(creates ? "create" : "truncate", full);
    result = what == 3 ? -1 : syscall(SYS_openat, at, path, flags, mode);
    if (result >= 0 && creates) changed(MADE, full);
    if (what == 1 || what == 2) die();
    LEAVE;
    return result;
plain:
    return syscall(SYS_openat, at, path, flags, mode);
}

#define MODE(flags) mode_t mode = 0; if ((flags) & (O_CREAT | O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); }
int open(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags) return opened(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags) return opened(at, path, flags | O_LARGEFILE, mode); }
int creat(const char *path, mode_t mode) { return opened(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

/* `half` does half of it, `whole` all of it. */
#define WRITES(kind, descriptor, half, whole) \
    char full[PATH_MAX]; \
    ENTER \
    int what = 0; \
    if (path_of(descriptor, full)) { \
        keep_content(full); \
        what = begin(kind, full); \
        if (answers >= 0 && !strcmp(kind, "write")) { \
            struct stat was; \
            off_t position = syscall(SYS_lseek, descriptor, 0, SEEK_CUR); \
            if (fstat(descriptor, &was)) _exit(98); \
            (void)!(half); \
            show_torn(descriptor, full, position, was.st_size); \
        } \
    } \
    ssize_t result = what == 3 ? -1 : what == 2 ? (half) : (whole); \
    if (what == 1 || what == 2) die(); \
    LEAVE; \
    return result; \
plain: \
    return (whole);

ssize_t write(int fd, const void *from, size_t size) { WRITES("write", fd, syscall(SYS_write, fd, from, size / 2), syscall(SYS_write, fd, from, size)) }
ssize_t pwrite(int fd, const void *from, size_t size, off_t at) { WRITES("write", fd, syscall(SYS_pwrite64, fd, from, size / 2, at), syscall(SYS_pwrite64, fd, from, size, at)) }
ssize_t pwrite64(int fd, const void *from, size_t size, off64_t at) { WRITES("write", fd, syscall(SYS_pwrite64, fd, from, size / 2, at), syscall(SYS_pwrite64, fd, from, size, at)) }
ssize_t writev(int fd, const struct iovec *parts, int count) { WRITES("write", fd, syscall(SYS_writev, fd, parts, (count + 1) / 2), syscall(SYS_writev, fd, parts, count)) }
ssize_t sendfile(int out, int in, off_t *at, size_t size) { if (is_refused(in)) return -1; WRITES("copy", out, syscall(SYS_sendfile, out, in, at, size / 2), syscall(SYS_sendfile, out, in, at, size)) }
ssize_t sendfile64(int out, int in, off64_t *at, size_t size) { if (is_refused(in)) return -1; WRITES("copy", out, syscall(SYS_sendfile, out, in, at, size / 2), syscall(SYS_sendfile, out, in, at, size)) }
ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t size, unsigned flags) { if (is_refused(in)) return -1; WRITES("copy", out, syscall(SYS_copy_file_range, in, from, out, to, size / 2, flags), syscall(SYS_copy_file_range, in, from, out, to, size, flags)) }
int ftruncate(int fd, off_t length) { WRITES("truncate", fd, 0, syscall(SYS_ftruncate, fd, length)) }
int ftruncate64(int fd, off64_t length) { WRITES("truncate", fd, 0, syscall(SYS_ftruncate, fd, length)) }

ssize_t read(int fd, void *into, size_t size) { return is_refused(fd) ? -1 : syscall(SYS_read, fd, into, size); }
ssize_t pread(int fd, void *into, size_t size, off_t at) { return is_refused(fd) ? -1 : syscall(SYS_pread64, fd, into, size, at); }
ssize_t pread64(int fd, void *into, size_t size, off64_t at) { return is_refused(fd) ? -1 : syscall(SYS_pread64, fd, into, size, at); }
ssize_t readv(int fd, const struct iovec *parts, int count) { return is_refused(fd) ? -1 : syscall(SYS_readv, fd, parts, count); }
void *mmap(void *where, size_t size, int rights, int flags, int fd, off_t at) {
    return fd >= 0 && is_refused(fd) ? MAP_FAILED : (void *)syscall(SYS_mmap, where, size, rights, flags, fd, at);
}
void *mmap64(void *where, size_t size, int rights, int flags, int fd, off64_t at) {
    return fd >= 0 && is_refused(fd) ? MAP_FAILED : (void *)syscall(SYS_mmap, where, size, rights, flags, fd, at);
}
FILE *fdopen(int fd, const char *mode) {
    static FILE *(*real)(int, const char *);
    if (!real) real = dlsym(RTLD_NEXT, "fdopen");
    return *mode == 'r' && is_refused(fd) ? NULL : real(fd, mode);
}

static int synced(int fd, long number) {
    char full[PATH_MAX];
    struct stat found;
    ENTER
    int what = 0, watched = path_of(fd, full);
    if (watched) what = begin("fsync", full);
    int result = what == 3 ? -1 : watched ? 0 : syscall(number, fd); /* a cut is simulated: the real disk need not be waited for */
    if (watched && !result && !fstat(fd, &found)) {
        if (S_ISDIR(found.st_mode)) synced_names(full); else synced_content(found.st_ino);
    }
    if (what == 1 || what == 2) die();
    LEAVE;
    return result;
plain:
    return syscall(number, fd);
}
int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }
void sync(void) {
    ENTER
    int what = begin("fsync", root);
    if (what != 3) { synced_names(NULL); while (contents) synced_content(contents->inode); }
    if (what == 1 || what == 2) die();
    LEAVE;
    return;
plain:
    syscall(SYS_sync);
}

static int renamed(int at, const char *path, int to_at, const char *to, unsigned flags) {
    char full[PATH_MAX], target[PATH_MAX], was[PATH_MAX], had[PATH_MAX];
    struct stat found;
    ENTER
    int what = 0, from_here = full_path(at, path, full), to_here = full_path(to_at, to, target);
    int watched = (from_here || to_here) && !lstat(full, &found);
    if (watched) {
        what = begin("rename", to_here ? target : full);
        save(full, was);
        save(target, had);
    }
    int result = what == 3 ? -1 : syscall(SYS_renameat2, at, path, to_at, to, flags);
    if (watched && !result) {
        if (S_ISDIR(found.st_mode)) strcpy(changed(MOVED_FOLDER, target)->other, full);
        else {
            strcpy(changed(MADE, target)->saved, had);
            strcpy(changed(GONE, full)->saved, was);
        }
    }
    if (what == 1 || what == 2) die();
    LEAVE;
    return result;
plain:
    return syscall(SYS_renameat2, at, path, to_at, to, flags);
}
int rename(const char *path, const char *to) { return renamed(AT_FDCWD, path, AT_FDCWD, to, 0); }
int renameat(int at, const char *path, int to_at, const char *to) { return renamed(at, path, to_at, to, 0); }
int renameat2(int at, const char *path, int to_at, const char *to, unsigned flags) { return renamed(at, path, to_at, to, flags); }

static int removed(int at, const char *path, int flags) {
    char full[PATH_MAX], was[PATH_MAX];
    struct stat found;
    ENTER
    int what = 0, watched = full_path(at, path, full) && !lstat(full, &found);
    if (watched) {
        what = begin(flags & AT_REMOVEDIR ? "rmdir" : "unlink", full);
        save(full, was);
    }
    int result = what == 3 ? -1 : syscall(SYS_unlinkat, at, path, flags);
    if (watched && !result) {
        if (flags & AT_REMOVEDIR) changed(GONE_FOLDER, full); else strcpy(changed(GONE, full)->saved, was);
    }
    if (what == 1 || what == 2) die();
    LEAVE;
    return result;
plain:
    return syscall(SYS_unlinkat, at, path, flags);
}
int unlink(const char *path) { return removed(AT_FDCWD, path, 0); }
int unlinkat(int at, const char *path, int flags) { return removed(at, path, flags); }
int rmdir(const char *path) { return removed(AT_FDCWD, path, AT_REMOVEDIR); }

static int made_folder(int at, const char *path, mode_t mode) {
    char full[PATH_MAX];
    struct stat found;
    ENTER
    int what = 0, watched = full_path(at, path, full) && lstat(full, &found);
    if (watched) what = begin("mkdir", full);
    int result = what == 3 ? -1 : syscall(SYS_mkdirat, at, path, mode);
    if (watched && !result) changed(MADE_FOLDER, full);
    if (what == 1 || what == 2) die();
    LEAVE;
    return result;
plain:
    return syscall(SYS_mkdirat, at, path, mode);
}
int mkdir(const char *path, mode_t mode) { return made_folder(AT_FDCWD, path, mode); }
int mkdirat(int at, const char *path, mode_t mode) { return made_folder(at, path, mode); }

static int linked(int at, const char *path, int to_at, const char *to, int flags) {
    char target[PATH_MAX];
    ENTER
    int what = 0, watched = full_path(to_at, to, target);
    if (watched) what = begin("link", target);
    int result = what == 3 ? -1 : syscall(SYS_linkat, at, path, to_at, to, flags);
    if (watched && !result) changed(MADE, target);
    if (what == 1 || what == 2) die();
    LEAVE;
    return result;
plain:
    return syscall(SYS_linkat, at, path, to_at, to, flags);
}
int link(const char *path, const char *to) { return linked(AT_FDCWD, path, AT_FDCWD, to, 0); }
int linkat(int at, const char *path, int to_at, const char *to, int flags) { return linked(at, path, to_at, to, flags); }

/* -- for the test */

void faults_arm(const char *watched, const char *beside, long at, int which, int times, int descriptor) {
    strncpy(root, watched, sizeof root - 1);
    strncpy(shadow, beside, sizeof shadow - 1);
    root_length = strlen(root);
    counted = 0;
    strike_at = at;
    fault = which;
    failures_left = times;
    report = descriptor;
    armed = 1;
}

/* Wait at each call, until a byte is read from `descriptor`. To be armed with no fault afterwards. */
void faults_watch(int descriptor) { answers = descriptor; }

/* The end of what was to be done: the power is cut now, where it was to be cut after the last call. */
long faults_disarm(void) {
    armed = 0;
    if (answers >= 0) { counted++; show("end", "-"); answers = -1; }
    if ((fault == CUT || fault == CUT_DATA) && counted < strike_at) {
        if (report >= 0 && syscall(SYS_write, report, "0 end -\n", 8) != 8) _exit(98);
        cut_power(fault == CUT);
        die();
    }
    return counted;
}

/* Refuse what is read of the files below `root` that a pattern names (`*` goes over folders too). */
void faults_refuse_reads(const char *root, const char *patterns, size_t size) {
    strncpy(damaged_root, root, sizeof damaged_root - 1);
    memset(damaged, 0, sizeof damaged);
    memcpy(damaged, patterns, size < sizeof damaged - 2 ? size : sizeof damaged - 2);
    refused = 0;
    refusing = 1;
}

/* Read all again; the number of reads that were refused. */
long faults_allow_reads(void) {
    refusing = 0;
    return refused;
}
