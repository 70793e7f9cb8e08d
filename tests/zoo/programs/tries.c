/* Tries what it is told to, line by line: a word and an argument.

   Each answer is one line: "done", the name of the error, or what was asked for.
   Started again by itself it answers "again". */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static char *program;
static char answer[65536];

static int is(const char *word, const char *name) { return !strcmp(word, name); }

static int child(long pid) {
    if (pid == 0) _exit(0);
    if (pid > 0) waitpid((pid_t)pid, NULL, 0);
    return pid < 0 ? -1 : 0;
}

static int opened(int descriptor) {
    char byte;
    return descriptor < 0 ? -1 : read(descriptor, &byte, 1) < 0 ? -1 : 0;
}

static int listed(const char *path) {
    DIR *folder = opendir(path);
    return folder == NULL || readdir(folder) == NULL ? -1 : 0;
}

static int connected(int port) {
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons((in_port_t)port)};
    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int talk = socket(AF_INET, SOCK_STREAM, 0);
    return talk < 0 ? -1 : connect(talk, (struct sockaddr *)&there, sizeof there);
}

static int mapped(size_t bytes, int flags) {
    void *place = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
    return place == MAP_FAILED ? -1 : munmap(place, bytes);
}

/* Maps memory piece by piece, each of which no longer counts as it can't be written. */
static int frozen(size_t bytes) {
    size_t piece = 64 << 20;
    for (size_t all = 0; all < bytes; all += piece) {
        void *place = mmap(NULL, piece, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (place == MAP_FAILED || mprotect(place, piece, PROT_READ)) return -1;
    }
    return 0;
}

static int raised(void) {
    int all[] = {RLIMIT_AS, RLIMIT_DATA, RLIMIT_STACK, RLIMIT_FSIZE, RLIMIT_NOFILE};
    struct rlimit limit;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        getrlimit(all[i], &limit);
        if (limit.rlim_max == RLIM_INFINITY) return 0;
        limit.rlim_cur = limit.rlim_max += 1 << 20;
        if (setrlimit(all[i], &limit) == 0) return 0;
    }
    return -1;
}

/* Waits as for the end of a thread; nobody wakes it. */
static int waited(void) {
    int word = 0;
    struct timespec moment = {0, 1000000};
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, &moment, NULL, 0);
    return errno == ETIMEDOUT ? 0 : -1;
}

static void *nothing(void *argument) { return argument; }

static int threaded(void) {
    pthread_t thread;
    errno = pthread_create(&thread, NULL, nothing, NULL);
    return errno || pthread_join(thread, NULL) ? -1 : 0;
}

static int printed(size_t bytes) {
    char *text = calloc(bytes, 1);
    memset(text, 'x', bytes);
    ssize_t all = write(2, text, bytes);
    all = write(2, "\n", 1);
    return all < 0 ? -1 : 0;
}

static void show_environment(void) {
    for (char **entry = environ; *entry; entry++) {
        strncat(answer, *entry, strcspn(*entry, "="));
        strcat(answer, " ");
    }
}

static void show_descriptors(void) {
    for (int i = 0; i < 4096; i++)
        if (fcntl(i, F_GETFD) >= 0) sprintf(answer + strlen(answer), "%d ", i);
}

static void show_signals(void) {
    struct sigaction action;
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    for (int i = 1; i < NSIG; i++)
        if (sigismember(&blocked, i) == 1 ||
            (sigaction(i, NULL, &action) == 0 && action.sa_handler != SIG_DFL))
            sprintf(answer + strlen(answer), "%d ", i);
}

static void show_limits(void) {
    int all[] = {RLIMIT_DATA, RLIMIT_STACK, RLIMIT_AS, RLIMIT_FSIZE, RLIMIT_CORE};
    struct rlimit limit;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        getrlimit(all[i], &limit);
        sprintf(answer + strlen(answer), "%lld ", (long long)limit.rlim_max);
    }
}

static int attempt(const char *word, char *argument) {
    long number = atol(argument);
    size_t bytes = (size_t)number << 20;
    char *again[] = {argument, "again", NULL};
    if (is(word, "read")) return opened(open(argument, O_RDONLY));
    if (is(word, "list")) return listed(argument);
    if (is(word, "write")) return open(argument, O_WRONLY | O_CREAT, 0600) < 0 ? -1 : 0;
    if (is(word, "fork")) return child(fork());
    if (is(word, "vfork")) return child(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
    if (is(word, "connect")) return connected((int)number);
    if (is(word, "socket")) return socket(AF_UNIX, SOCK_STREAM, 0) < 0 ? -1 : 0;
    if (is(word, "signal")) return kill((pid_t)number, 0);
    if (is(word, "suffer")) return kill(getpid(), (int)number);
    if (is(word, "trace")) return (int)ptrace(PTRACE_SEIZE, (pid_t)number, 0, 0);
    if (is(word, "renice")) return setpriority(PRIO_PROCESS, (id_t)number, 0);
    if (is(word, "memory")) return mapped(bytes, MAP_PRIVATE);
    if (is(word, "shared")) return mapped(bytes, MAP_SHARED);
    if (is(word, "growing")) return mapped(bytes, MAP_PRIVATE | MAP_GROWSDOWN);
    if (is(word, "frozen")) return frozen(bytes);
    if (is(word, "raise")) return raised();
    if (is(word, "wait")) return waited();
    if (is(word, "thread")) return threaded();
    if (is(word, "print")) return printed((size_t)number);
    if (is(word, "exec")) return execv(argument, again);
    if (is(word, "folder")) return getcwd(answer, sizeof answer) == NULL ? -1 : 0;
    if (is(word, "environment")) return show_environment(), 0;
    if (is(word, "descriptors")) return show_descriptors(), 0;
    if (is(word, "signals")) return show_signals(), 0;
    if (is(word, "limits")) return show_limits(), 0;
    if (is(word, "echo")) return strcpy(answer, argument), 0;
    if (is(word, "who")) return strcpy(answer, program), 0;
    return errno = EINVAL, -1;
}

int main(int count, char **words) {
    static char line[8192];
    program = count > 1 ? words[1] : "nobody";
    if (is(program, "again")) {
        puts(program);
        fflush(stdout);
    }
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        char *argument = strchr(line, ' ');
        if (argument) *argument++ = 0;
        *answer = 0;
        errno = 0;
        int failed = attempt(line, argument ? argument : "");
        if (failed) sprintf(answer, "%s", strerrorname_np(errno));
        puts(failed || *answer ? answer : "done");
        fflush(stdout);
    }
    return 0;
}
