#define _GNU_SOURCE
#include "fleet.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct fleet fleet;

double clock_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int64_t unix_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static uint64_t random_state;

static uint64_t random_next(void)
{
    uint64_t x = random_state += 0x9e3779b97f4a7c15; /* splitmix64 */
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

/* Above 0 and at most 1. */
static double random_share(void)
{
    return (double)((random_next() >> 11) + 1) * 0x1p-53;
}

/* ---- clients */

static void watch(struct client *client, int how, bool wants_out)
{
    struct epoll_event event = {.events = EPOLLIN | (wants_out ? EPOLLOUT : 0), .data.ptr = client};
    client->wants_out = wants_out;
    epoll_ctl(fleet.epoll, how, client->fd, &event);
}

/* Takes a client out of the fleet; `word` says why, as a close code where there is one. */
static void lose(struct client *client, const char *word)
{
    if (client->state == DEAD)
        return;
    if (client->state < WELCOMED)
        fleet.connecting--;
    tally_add(&fleet.closes, word, strlen(word));
    client->state = DEAD;
    fleet.dead++;
    close(client->fd);
    client->fd = -1;
}

static void flush(struct client *client)
{
    struct bytes *out = &client->out;
    while (out->start < out->end) {
        ssize_t sent = send(client->fd, out->at + out->start, out->end - out->start, MSG_NOSIGNAL);
        if (sent < 0) {
            if (errno == EINTR)
                continue;
            if (errno == EAGAIN || errno == EWOULDBLOCK)
                break;
            /* What the server said last may still be unread: the close code is met when reading. */
            out->start = out->end;
            break;
        }
        out->start += (size_t)sent;
    }
    if (client->wants_out != (out->start < out->end))
        watch(client, EPOLL_CTL_MOD, out->start < out->end);
}

static void say(struct client *client, const char *text, size_t length)
{
    frame_write(&client->out, FRAME_TEXT, text, length, (uint32_t)random_next());
    flush(client);
}

static void connect_one(struct client *client)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)fleet.port)};
    int one = 1;
    inet_pton(AF_INET, fleet.address, &address.sin_addr);
    fleet.connecting++;
    client->born = clock_now();
    client->state = CONNECTING;
    client->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (client->fd < 0) {
        lose(client, strerror(errno));
        return;
    }
    setsockopt(client->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    watch(client, EPOLL_CTL_ADD, true);
    if (connect(client->fd, (struct sockaddr *)&address, sizeof address) < 0 && errno != EINPROGRESS)
        lose(client, strerror(errno));
}

static void connected(struct client *client)
{
    int error = 0;
    socklen_t size = sizeof error;
    char path[256];
    getsockopt(client->fd, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error) {
        lose(client, strerror(error));
        return;
    }
    snprintf(path, sizeof path, "/ws/races/%s/", client->race->code);
    client->state = SHAKING;
    handshake_write(&client->out, fleet.address, fleet.port, path, client->cookie);
    flush(client);
}

/* ---- playing */

/* Sends the next action of the script; `due` is when it should have been sent. */
static void act(struct client *client, double due)
{
    char text[96];
    uint32_t seq = client->sent + 1;
    const char *code = client->script->codes + 2 * (size_t)client->sent;
    int length = snprintf(text, sizeof text, "{\"type\":\"act\",\"seq\":%" PRIu32 ",\"code\":\"%.2s\"}", seq, code);
    client->due[seq] = due;
    client->sent = seq;
    client->under_way++;
    fleet.sent++;
    if (due >= fleet.from && due < fleet.until)
        fleet.sent_in_window++;
    say(client, text, (size_t)length);
}

static bool can_act(const struct client *client)
{
    return fleet.racing && client->state == WELCOMED && client->racing && !client->recovering &&
           !client->halted && client->sent < client->script->length;
}

/* The open loop: the fleet's moves are a Poisson stream that the racers take in turn, so that they fall together at
 * times as people's do, while each racer keeps its rate. A turn is never moved because the server is late. */
static double offer_due(double now)
{
    while (fleet.next_arrival <= now && fleet.next_arrival < fleet.until) {
        struct client *client = fleet.order[fleet.turn++ % (uint64_t)fleet.racers];
        if (can_act(client))
            act(client, fleet.next_arrival);
        else
            fleet.offered_in_vain++;
        fleet.next_arrival += -log(random_share()) / (fleet.rate * fleet.racers);
    }
    return fleet.next_arrival;
}

/* One answer less is awaited. A refused racer waits for the rest, then goes on from what is acknowledged. */
static void answered(struct client *client, double now)
{
    if (client->under_way)
        client->under_way--;
    if (client->recovering && !client->under_way) {
        client->recovering = false;
        client->sent = client->acked;
        client->halted = client->refused_in_a_row > 3;
    }
    if (fleet.rate == 0 && !client->under_way && can_act(client))
        act(client, now);
}

static void take_acted(struct client *client, struct span seq, struct span code, double now)
{
    int64_t number;
    if (!client->script || !json_integer(seq, &number) || number != (int64_t)client->acked + 1 ||
        number > client->sent) {
        fleet.mistaken++;
        return;
    }
    struct span text = json_text(code);
    if (!text.at || text.end - text.at != 2 ||
        memcmp(text.at, client->script->codes + 2 * (number - 1), 2) != 0)
        fleet.mistaken++;
    double due = client->due[number];
    client->acked = (uint32_t)number;
    client->refused_in_a_row = 0;
    fleet.acked++;
    if (now >= fleet.from && now < fleet.until)
        fleet.acked_in_window++;
    if (due >= fleet.from && due < fleet.until)
        histogram_add(&fleet.acting, now - due);
    answered(client, now);
}

static void take_refused(struct client *client, struct span reason, double now)
{
    struct span word = json_text(reason);
    fleet.refused++;
    tally_add(&fleet.refusals, word.at ? word.at : "?", word.at ? (size_t)(word.end - word.at) : 1);
    client->recovering = true;
    client->refused_in_a_row++;
    answered(client, now);
}

static int slot_of(struct race *race, int64_t id)
{
    for (int i = 0; i < race->slots_length; i++)
        if (race->slots[i].id == id)
            return i;
    race->slots = grow(race->slots, (size_t)race->slots_length, sizeof *race->slots);
    race->slots[race->slots_length].id = id;
    race->slots[race->slots_length].seat = NULL;
    return race->slots_length++;
}

static struct heard *heard_of(struct client *client, int slot)
{
    while (client->heard_length <= slot) {
        client->heard = grow(client->heard, (size_t)client->heard_length, sizeof *client->heard);
        client->heard[client->heard_length++] = (struct heard){0};
    }
    return &client->heard[slot];
}

/* One element of `moved`: [racer, seq, code, at, home, moves, redeals]. */
static bool take_move(struct client *client, struct span move, double now)
{
    struct json_walk walk;
    struct span value;
    int64_t id, seq;
    if (!json_open(&walk, move, '[') || !json_item(&walk, &value) || !json_integer(value, &id) ||
        !json_item(&walk, &value) || !json_integer(value, &seq))
        return false;
    int slot = slot_of(client->race, id);
    struct client *seat = client->race->slots[slot].seat;
    struct heard *heard = heard_of(client, slot);
    if (seq <= heard->seq) {
        fleet.repeated++;
        return true;
    }
    heard->missing += (uint32_t)(seq - heard->seq - 1);
    heard->seq = (uint32_t)seq;
    if (seat && seat != client && seq <= seat->sent) {
        double due = seat->due[seq];
        if (due >= fleet.from && due < fleet.until)
            histogram_add(&fleet.pushing, now - due);
    }
    return true;
}

static bool take_moved(struct client *client, struct span moves, double now)
{
    struct json_walk walk;
    struct span move;
    if (!json_open(&walk, moves, '['))
        return false;
    while (json_item(&walk, &move))
        if (!take_move(client, move, now))
            return false;
    return !walk.broken;
}

/* ---- messages */

enum field { TYPE, SEQ, CODE, MOVES, REASON, YOU, RACE, RACERS, TABLE, LOGS, FIELDS };

static struct span member_of(struct span object, const char *wanted)
{
    struct json_walk walk;
    struct span name, value;
    if (json_open(&walk, object, '{'))
        while (json_member(&walk, &name, &value))
            if (json_is(name, wanted))
                return value;
    return (struct span){NULL, NULL};
}

static bool is_null(struct span value)
{
    return !value.at || (value.end - value.at == 4 && memcmp(value.at, "null", 4) == 0);
}

/* Where hearing begins: for every racer of the roster the length of its log, as far as it is told. */
static void hear_from(struct client *client, struct span racers, struct span logs)
{
    struct json_walk walk;
    struct span row, name, log;
    int64_t id;
    if (json_open(&walk, racers, '['))
        while (json_item(&walk, &row)) {
            if (!json_integer(member_of(row, "racer"), &id))
                continue;
            int slot = slot_of(client->race, id);
            struct client *seat = client->race->slots[slot].seat;
            struct heard *heard = heard_of(client, slot);
            heard->base = heard->seq = seat ? seat->acked : 0;
        }
    if (json_open(&walk, logs, '{'))
        while (json_member(&walk, &name, &log)) {
            struct span inner = json_text(name), codes = json_text(log);
            if (!inner.at || !codes.at || !json_integer(inner, &id))
                continue;
            struct heard *heard = heard_of(client, slot_of(client->race, id));
            heard->base = heard->seq = (uint32_t)(codes.end - codes.at) / 2;
        }
}

static void take_welcome(struct client *client, struct span fields[FIELDS], double now)
{
    int64_t you, seq;
    if (client->state != OPEN)
        return; /* the answer to a sync */
    client->state = WELCOMED;
    client->welcomed = now;
    client->next_ping = now + random_share() * fleet.ping_every;
    client->race->welcomed++;
    fleet.connecting--;
    histogram_add(&fleet.joining, now - client->born);
    if (!is_null(member_of(fields[RACE], "starts_at")))
        client->race->started = true;
    if (client->script) {
        if (!json_integer(fields[YOU], &you) || !json_integer(fields[SEQ], &seq) || seq < 0) {
            lose(client, "not seated");
            return;
        }
        client->base = client->sent = client->acked = (uint32_t)seq;
        int slot = slot_of(client->race, you); /* which may move the slots */
        client->race->slots[slot].seat = client;
        client->racing = !is_null(fields[TABLE]);
    }
    hear_from(client, fields[RACERS], fields[LOGS]);
}

/* Whether the message could be read. */
static bool take_message(struct client *client, const char *text, size_t length, double now)
{
    static const char *const names[FIELDS] = {"type", "seq", "code", "moves", "reason",
                                              "you", "race", "racers", "table", "logs"};
    struct span fields[FIELDS] = {0}, name, value, type;
    struct json_walk walk;
    client->frames++;
    fleet.frames_in++;
    if (!json_open(&walk, (struct span){text, text + length}, '{'))
        return false;
    while (json_member(&walk, &name, &value))
        for (int i = 0; i < FIELDS; i++)
            if (json_is(name, names[i])) {
                fields[i] = value;
                break;
            }
    if (walk.broken)
        return false;
    type = fields[TYPE];
    if (json_is(type, "moved"))
        return take_moved(client, fields[MOVES], now);
    if (json_is(type, "acted")) {
        take_acted(client, fields[SEQ], fields[CODE], now);
    } else if (json_is(type, "refused")) {
        take_refused(client, fields[REASON], now);
    } else if (json_is(type, "welcome")) {
        take_welcome(client, fields, now);
    } else if (json_is(type, "go")) {
        client->racing = client->script != NULL;
    } else if (json_is(type, "pong")) {
        if (client->pinged > 0) {
            fleet.pongs++;
            histogram_add(&fleet.ponging, now - client->pinged);
        }
        client->pinged = 0;
    } else if (json_is(type, "finished")) {
        fleet.finished++;
    } else if (json_is(type, "fault")) {
        struct span word = json_text(fields[REASON]);
        fleet.faults++;
        tally_add(&fleet.fault_words, word.at ? word.at : "?", word.at ? (size_t)(word.end - word.at) : 1);
        client->halted = true; /* what it was about is not told, so the racer can't go on */
    }
    return type.at != NULL;
}

static void take_frames(struct client *client, double now)
{
    struct frame_reader *reader = &client->reader;
    const char *payload;
    size_t length;
    char code[8] = "1005";
    if (client->state == SHAKING) {
        int status;
        long head = handshake_read(reader->in.at + reader->in.start, reader->in.end - reader->in.start, &status);
        if (head < 0) {
            char word[40];
            snprintf(word, sizeof word, "handshake %d", status);
            lose(client, status == 101 ? "no subprotocol" : word);
        }
        if (head <= 0)
            return;
        reader->in.start += (size_t)head;
        client->state = OPEN;
    }
    while (client->state == OPEN || client->state == WELCOMED) {
        switch (frame_read(reader, &payload, &length)) {
        case FRAME_NONE:
            return;
        case FRAME_TEXT:
            if (!take_message(client, payload, length, now))
                fleet.broken++;
            break;
        case FRAME_PING:
            frame_write(&client->out, FRAME_PONG, payload, length, (uint32_t)random_next());
            flush(client);
            break;
        case FRAME_PONG:
            break;
        case FRAME_CLOSE:
            if (length >= 2)
                snprintf(code, sizeof code, "%d", (unsigned char)payload[0] << 8 | (unsigned char)payload[1]);
            lose(client, code);
            break;
        default:
            lose(client, "broken frame");
        }
    }
}

static void take_event(struct client *client, uint32_t events)
{
    static unsigned char data[65536];
    if (client->state == DEAD)
        return;
    if (client->state == CONNECTING) {
        if (events & (EPOLLOUT | EPOLLERR | EPOLLHUP))
            connected(client);
        return;
    }
    if (events & EPOLLOUT)
        flush(client);
    if (!(events & (EPOLLIN | EPOLLERR | EPOLLHUP)))
        return;
    ssize_t got = recv(client->fd, data, fleet.read_at_most, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0) {
        lose(client, got ? strerror(errno) : "1006");
        return;
    }
    fleet.bytes_in += (uint64_t)got;
    bytes_add(&client->reader.in, data, (size_t)got);
    take_frames(client, clock_now());
}

/* Pings as a browser does, and besides after many frames, so that the server knows that they were heard. A client
 * whose last ping is unanswered sends none. */
static void ping_round(double now)
{
    char text[96];
    fleet.next_ping_round = now + 0.05;
    for (int i = 0; i < fleet.length; i++) {
        struct client *client = &fleet.clients[i];
        bool due = now >= client->next_ping || client->frames - client->told >= fleet.ping_frames;
        if (client->state != WELCOMED || !due || client->pinged > 0)
            continue;
        client->next_ping = (now > client->next_ping ? client->next_ping : now) + fleet.ping_every;
        client->told = client->frames;
        int length = snprintf(text, sizeof text, "{\"type\":\"ping\",\"sent\":%" PRId64 ",\"heard\":%" PRIu32 "}",
                              unix_ms(), client->frames);
        client->pinged = clock_now();
        fleet.pings++;
        say(client, text, (size_t)length);
    }
}

void fleet_turn(double until)
{
    struct epoll_event events[256];
    double now = clock_now(), wake = until, due;
    while (fleet.unborn < fleet.length && fleet.connecting < fleet.connecting_at_once)
        connect_one(&fleet.clients[fleet.unborn++]);
    if (fleet.offering && (due = offer_due(now)) < wake)
        wake = due;
    if (fleet.ping_every > 0) {
        if (fleet.next_ping_round <= now)
            ping_round(now);
        if (fleet.next_ping_round < wake)
            wake = fleet.next_ping_round;
    }
    double left = wake - clock_now();
    struct timespec wait = {0, 0};
    if (left > 0) {
        wait.tv_sec = (time_t)left;
        wait.tv_nsec = (long)((left - (double)wait.tv_sec) * 1e9);
    }
    int length = epoll_pwait2(fleet.epoll, events, 256, &wait, NULL);
    for (int i = 0; i < length; i++)
        take_event(events[i].data.ptr, events[i].events);
}

/* ---- the race as a whole */

void fleet_open(uint64_t seed)
{
    random_state = seed;
    fleet.epoll = epoll_create1(EPOLL_CLOEXEC);
    fleet.order = calloc((size_t)fleet.racers + 1, sizeof *fleet.order);
    int length = 0;
    for (int i = 0; i < fleet.length; i++)
        if (fleet.clients[i].script)
            fleet.order[length++] = &fleet.clients[i];
    for (int i = length - 1; i > 0; i--) {
        int j = (int)(random_next() % (uint64_t)(i + 1));
        struct client *swapped = fleet.order[i];
        fleet.order[i] = fleet.order[j];
        fleet.order[j] = swapped;
    }
}

void fleet_start_races(void)
{
    static const char start[] = "{\"type\":\"start\"}";
    for (int i = 0; i < fleet.races_length; i++) {
        struct race *race = &fleet.races[i];
        if (!race->started && race->host && race->host->state == WELCOMED)
            say(race->host, start, sizeof start - 1);
    }
}

void fleet_race(void)
{
    double now = clock_now();
    fleet.racing = true;
    if (fleet.rate > 0) {
        fleet.offering = true;
        fleet.next_arrival = now;
        return;
    }
    for (int i = 0; i < fleet.racers; i++)
        if (can_act(fleet.order[i]))
            act(fleet.order[i], clock_now());
}

bool fleet_all_welcomed(void)
{
    return fleet.unborn == fleet.length && fleet.connecting == 0;
}

bool fleet_all_racing(void)
{
    for (int i = 0; i < fleet.racers; i++)
        if (fleet.order[i]->state == WELCOMED && !fleet.order[i]->racing)
            return false;
    return true;
}

bool fleet_all_ponged(void)
{
    for (int i = 0; i < fleet.length; i++)
        if (fleet.clients[i].state == WELCOMED && fleet.clients[i].pinged > 0)
            return false;
    return true;
}

bool fleet_settled(void)
{
    for (int i = 0; i < fleet.length; i++) {
        struct client *client = &fleet.clients[i];
        if (client->state == DEAD)
            continue;
        if (client->under_way)
            return false;
        for (int slot = 0; slot < client->race->slots_length; slot++) {
            struct client *seat = client->race->slots[slot].seat;
            if (seat && heard_of(client, slot)->seq < seat->acked)
                return false;
        }
    }
    return true;
}

void fleet_count_pushes(uint64_t *expected, uint64_t *delivered)
{
    *expected = *delivered = 0;
    for (int i = 0; i < fleet.length; i++) {
        struct client *client = &fleet.clients[i];
        for (int slot = 0; client->welcomed > 0 && slot < client->race->slots_length; slot++) {
            struct client *seat = client->race->slots[slot].seat;
            struct heard *heard = heard_of(client, slot);
            if (!seat)
                continue;
            /* What was pushed but never acknowledged (the mover's socket died between) counts on both sides. */
            uint32_t last = seat->acked > heard->seq ? seat->acked : heard->seq;
            *expected += last - heard->base;
            *delivered += heard->seq - heard->base - heard->missing;
        }
    }
}

void fleet_close(void)
{
    for (int i = 0; i < fleet.length; i++) {
        struct client *client = &fleet.clients[i];
        if (client->state == OPEN || client->state == WELCOMED) {
            frame_write(&client->out, FRAME_CLOSE, "\x03\xe8", 2, (uint32_t)random_next());
            flush(client);
        }
        if (client->fd >= 0)
            close(client->fd);
        bytes_free(&client->reader.in);
        bytes_free(&client->reader.message);
        bytes_free(&client->out);
        free(client->due);
        free(client->heard);
        free(client->cookie);
    }
    for (int i = 0; i < fleet.races_length; i++) {
        free(fleet.races[i].slots);
        free(fleet.races[i].clients);
        free(fleet.races[i].code);
    }
    for (int i = 0; i < fleet.scripts_length; i++) {
        free(fleet.scripts[i].name);
        free(fleet.scripts[i].codes);
    }
    free(fleet.scripts);
    free(fleet.races);
    free(fleet.clients);
    free(fleet.order);
    close(fleet.epoll);
}
