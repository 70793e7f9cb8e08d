/* Zombie Dice by a rule of thumb, in C. README.md has all messages.

   Build it in this folder:
       cc -O2 -std=c11 -Wall -Wextra -o stop_at_two stop_at_two.c

   A line is looked at where it stands: a function gets the place where a JSON value
   begins and returns a place further on, or NULL if something is not as expected. */

#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *skip_text(const char *at)
{
    if (*at != '"')
        return NULL;
    for (at++; *at != '"'; at++) {
        if (*at == '\\')
            at++;
        if (*at == '\0')
            return NULL;
    }
    return at + 1;
}

static const char *skip_value(const char *at, int depth);

/* An object or an array; of an object, keys and values take turns. */
static const char *skip_container(const char *at, int depth)
{
    const bool is_object = *at == '{';
    const char end = is_object ? '}' : ']';

    at = skip_space(at + 1);
    if (*at == end)
        return at + 1;
    for (;;) {
        if (is_object) {
            if (!(at = skip_text(at)) || *(at = skip_space(at)) != ':')
                return NULL;
            at = skip_space(at + 1);
        }
        if (!(at = skip_value(at, depth + 1)))
            return NULL;
        at = skip_space(at);
        if (*at == end)
            return at + 1;
        if (*at != ',')
            return NULL;
        at = skip_space(at + 1);
    }
}

static const char *skip_value(const char *at, int depth)
{
    size_t length;

    if (depth > MAX_DEPTH)
        return NULL;
    if (*at == '"')
        return skip_text(at);
    if (*at == '{' || *at == '[')
        return skip_container(at, depth);
    length = strcspn(at, " \t\r\n,:\"[]{}");  /* a number, true, false or null */
    return length > 0 ? at + length : NULL;
}

/* Whether the text that begins here is this one, which has no escapes. */
static bool is_text(const char *at, const char *text)
{
    const size_t length = strlen(text);

    return *at == '"' && strncmp(at + 1, text, length) == 0 && at[length + 1] == '"';
}

/* The value of a key. What is read here has been skipped once: it is whole. */
static const char *member(const char *object, const char *key)
{
    const char *at = object;

    if (!at || *at != '{')
        return NULL;
    for (at = skip_space(at + 1); *at == '"'; at = skip_space(at + 1)) {
        const bool is_it = is_text(at, key);

        at = skip_space(skip_space(skip_text(at)) + 1);
        if (is_it)
            return at;
        at = skip_space(skip_value(at, 0));
        if (*at != ',')
            break;
    }
    return NULL;
}

static bool has_item(const char *array, const char *text)
{
    const char *at = array;

    if (!at || *at != '[')
        return false;
    for (at = skip_space(at + 1); *at != ']'; at = skip_space(at + 1)) {
        if (is_text(at, text))
            return true;
        at = skip_space(skip_value(at, 0));
        if (*at != ',')
            break;
    }
    return false;
}

static bool read_number(const char *at, long long *number)
{
    if (!at || !isdigit((unsigned char)*at))
        return false;
    *number = strtoll(at, NULL, 10);
    return true;
}

static void decide(long long id, const char *request)
{
    const char *observation = member(request, "observation");
    const bool can_roll = has_item(member(request, "legal_actions"), "roll");
    long long shotguns, brains;

    if (!read_number(member(observation, "shotguns"), &shotguns) ||
        !read_number(member(observation, "brains"), &brains)) {
        printf("{\"id\":%lld,\"error\":\"shotguns or brains are missing\"}\n", id);
        return;
    }
    /* Without a brain there is nothing to lose, whatever the shotguns. It never
       boards the bus, without which the dice may not do for a roll. */
    printf("{\"id\":%lld,\"action\":\"%s\"}\n", id,
           (shotguns >= 2 && brains > 0) || !can_roll ? "stop" : "roll");
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;

    while (getline(&line, &room, stdin) > 0) {
        const char *request = skip_space(line);
        const char *end = *request == '{' ? skip_value(request, 0) : NULL;
        const char *type;
        long long id;

        if (!end || *skip_space(end) != '\0' ||
            !(type = member(request, "type")) ||
            !read_number(member(request, "id"), &id)) {
            fputs("this is no request\n", stderr);
            return EXIT_FAILURE;
        }
        if (is_text(type, "load"))
            printf("{\"id\":%lld,\"games\":[\"zombie_dice\"],"
                   "\"name\":\"stop_at_two in C\"}\n", id);
        else if (is_text(type, "act"))
            decide(id, request);
        else  /* begin and end: it remembers nothing */
            printf("{\"id\":%lld}\n", id);
        fflush(stdout);
    }
    free(line);
    return EXIT_SUCCESS;
}
