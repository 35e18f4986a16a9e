#define _GNU_SOURCE
#include "fleet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *grow(void *array, size_t length, size_t size)
{
    if (length & (length - 1)) /* only full at the powers of two */
        return array;
    array = realloc(array, (length ? length * 2 : 1) * size);
    if (!array) {
        perror("racers");
        exit(2);
    }
    return array;
}

static void bad_plan(const char *file, int line, const char *why)
{
    fprintf(stderr, "racers: %s:%d: %s\n", file, line, why);
    exit(2);
}

static int race_of(const char *code)
{
    for (int i = fleet.races_length - 1; i >= 0; i--)
        if (strcmp(fleet.races[i].code, code) == 0)
            return i;
    fleet.races = grow(fleet.races, (size_t)fleet.races_length, sizeof *fleet.races);
    fleet.races[fleet.races_length] = (struct race){.code = strdup(code)};
    return fleet.races_length++;
}

void fleet_read_plan(const char *file)
{
    FILE *plan = fopen(file, "r");
    char *line = NULL;
    size_t room = 0;
    int number = 0, *races = NULL, *scripts = NULL;
    if (!plan) {
        perror(file);
        exit(2);
    }
    while (getline(&line, &room, plan) > 0) {
        number++;
        line[strcspn(line, "\r\n")] = 0;
        char *rest = line, *kind = strsep(&rest, " ");
        if (!*kind || *kind == '#')
            continue;
        char *first = strsep(&rest, " ");
        bool racer = strcmp(kind, "racer") == 0;
        if (!first || !rest)
            bad_plan(file, number, "script NAME CODES, racer RACE SCRIPT COOKIE, or watcher RACE COOKIE");
        if (strcmp(kind, "script") == 0) {
            size_t length = strlen(rest);
            if (length % 2 || strpbrk(rest, "\"\\ "))
                bad_plan(file, number, "an action is two characters, and nothing stands between them");
            fleet.scripts = grow(fleet.scripts, (size_t)fleet.scripts_length, sizeof *fleet.scripts);
            fleet.scripts[fleet.scripts_length++] =
                (struct script){strdup(first), strdup(rest), (uint32_t)(length / 2)};
            continue;
        }
        if (!racer && strcmp(kind, "watcher") != 0)
            bad_plan(file, number, "a line is a script, a racer or a watcher");
        int script = -1, at = fleet.length;
        if (racer) {
            char *name = strsep(&rest, " ");
            for (script = fleet.scripts_length - 1; script >= 0; script--)
                if (strcmp(fleet.scripts[script].name, name) == 0)
                    break;
            if (script < 0 || !rest)
                bad_plan(file, number, "a racer needs a script from a line before, and a cookie");
        }
        fleet.clients = grow(fleet.clients, (size_t)at, sizeof *fleet.clients);
        races = grow(races, (size_t)at, sizeof *races);
        scripts = grow(scripts, (size_t)at, sizeof *scripts);
        fleet.clients[at] = (struct client){.fd = -1, .cookie = strcmp(rest, "-") == 0 ? NULL : strdup(rest)};
        races[at] = race_of(first);
        scripts[at] = script;
        fleet.length++;
    }
    free(line);
    fclose(plan);
    /* Only now, since the arrays moved while they grew. */
    for (int i = 0; i < fleet.length; i++) {
        struct client *client = &fleet.clients[i];
        struct race *race = client->race = &fleet.races[races[i]];
        race->clients = grow(race->clients, (size_t)race->length, sizeof *race->clients);
        race->clients[race->length++] = client;
        if (scripts[i] < 0)
            continue;
        client->script = &fleet.scripts[scripts[i]];
        client->due = calloc(client->script->length + 1, sizeof *client->due);
        if (!race->host)
            race->host = client;
        fleet.racers++;
    }
    free(races);
    free(scripts);
}
