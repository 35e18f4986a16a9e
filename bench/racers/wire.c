#define _GNU_SOURCE
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

unsigned char *bytes_reserve(struct bytes *bytes, size_t extra)
{
    if (bytes->start == bytes->end)
        bytes->start = bytes->end = 0;
    if (bytes->room - bytes->end < extra) {
        size_t held = bytes->end - bytes->start;
        if (bytes->start && bytes->room - held >= extra && held <= bytes->room / 2) {
            memmove(bytes->at, bytes->at + bytes->start, held);
        } else {
            size_t room = (held + extra) * 2;
            unsigned char *at = malloc(room);
            if (!at) {
                perror("racers");
                exit(2);
            }
            if (held)
                memcpy(at, bytes->at + bytes->start, held);
            free(bytes->at);
            bytes->at = at;
            bytes->room = room;
        }
        bytes->start = 0;
        bytes->end = held;
    }
    return bytes->at + bytes->end;
}

void bytes_add(struct bytes *bytes, const void *data, size_t length)
{
    if (!length)
        return;
    memcpy(bytes_reserve(bytes, length), data, length);
    bytes->end += length;
}

void bytes_free(struct bytes *bytes)
{
    free(bytes->at);
    *bytes = (struct bytes){0};
}

void handshake_write(struct bytes *out, const char *host, int port, const char *path,
                     const char *cookie)
{
    size_t room = strlen(path) + 2 * strlen(host) + (cookie ? strlen(cookie) : 0) + 512;
    char *at = (char *)bytes_reserve(out, room);
    int length = snprintf(at, room,
                          "GET %s HTTP/1.1\r\n"
                          "Host: %s:%d\r\n"
                          "Origin: http://%s:%d\r\n"
                          "Upgrade: websocket\r\n"
                          "Connection: Upgrade\r\n"
                          "Sec-WebSocket-Version: 13\r\n"
                          "Sec-WebSocket-Key: Y3Jlc2NlbnQgcmFjZXJzIQ==\r\n"
                          "Sec-WebSocket-Protocol: " SUBPROTOCOL "\r\n"
                          "%s%s%s\r\n",
                          path, host, port, host, port, cookie ? "Cookie: " : "", cookie ? cookie : "",
                          cookie ? "\r\n" : "");
    out->end += (size_t)length;
}

long handshake_read(const unsigned char *data, size_t length, int *status)
{
    const char *head = (const char *)data;
    const char *end = length ? memmem(head, length, "\r\n\r\n", 4) : NULL;
    *status = 0;
    if (!end)
        return length > 65536 ? -1 : 0;
    if (end - head < 12 || memcmp(head, "HTTP/1.1 ", 9) != 0)
        return -1;
    for (int i = 9; i < 12; i++) {
        if (head[i] < '0' || head[i] > '9')
            return -1;
        *status = *status * 10 + (head[i] - '0');
    }
    if (*status != 101)
        return -1;
    static const char name[] = "\r\nsec-websocket-protocol:";
    for (const char *at = head; (size_t)(end - at) >= sizeof name - 1; at++) {
        if (*at != '\r' || strncasecmp(at, name, sizeof name - 1) != 0)
            continue;
        at += sizeof name - 1;
        while (at < end && *at == ' ')
            at++;
        size_t left = (size_t)(end - at), wanted = sizeof SUBPROTOCOL - 1;
        bool whole = left == wanted || (left > wanted && at[wanted] == '\r');
        return whole && memcmp(at, SUBPROTOCOL, wanted) == 0 ? end + 4 - head : -1;
    }
    return -1;
}

enum frame frame_read(struct frame_reader *reader, const char **payload, size_t *length)
{
    static const enum frame kinds[16] = {
        [1] = FRAME_TEXT, [2] = FRAME_BINARY, [8] = FRAME_CLOSE, [9] = FRAME_PING, [10] = FRAME_PONG};
    for (;;) {
        const unsigned char *head = reader->in.at + reader->in.start;
        size_t held = reader->in.end - reader->in.start, size, before = 2;
        if (held < 2)
            return FRAME_NONE;
        int opcode = head[0] & 15;
        bool final = head[0] & 128;
        size = head[1] & 127;
        /* No extension is offered and a server masks nothing: such bits mean that we have lost our place. */
        if ((head[0] & 0x70) || (head[1] & 128))
            return FRAME_BROKEN;
        if (opcode >= 8 && (!final || size > 125))
            return FRAME_BROKEN;
        if (opcode && !kinds[opcode])
            return FRAME_BROKEN;
        if (opcode < 8 && (opcode == 0) != (reader->opcode != 0))
            return FRAME_BROKEN; /* a continuation of nothing, or a message inside a message */
        if (size >= 126) {
            before = size == 126 ? 4 : 10;
            if (held < before)
                return FRAME_NONE;
            size = 0;
            for (size_t i = 2; i < before; i++) {
                if (size > LONGEST_MESSAGE)
                    return FRAME_BROKEN;
                size = size << 8 | head[i];
            }
        }
        if (size > LONGEST_MESSAGE || reader->message.end - reader->message.start + size > LONGEST_MESSAGE)
            return FRAME_BROKEN;
        if (held - before < size)
            return FRAME_NONE;
        reader->in.start += before + size;
        if (opcode >= 8 || (opcode && final)) {
            *payload = (const char *)head + before;
            *length = size;
            return kinds[opcode];
        }
        if (opcode) {
            reader->opcode = opcode;
            reader->message.start = reader->message.end = 0;
        }
        bytes_add(&reader->message, head + before, size);
        if (final) {
            enum frame kind = kinds[reader->opcode];
            *payload = (const char *)reader->message.at + reader->message.start;
            *length = reader->message.end - reader->message.start;
            reader->message.start = reader->message.end;
            reader->opcode = 0;
            return kind;
        }
    }
}

void frame_write(struct bytes *out, enum frame kind, const void *payload, size_t length, uint32_t mask)
{
    static const unsigned char opcodes[] = {
        [FRAME_TEXT] = 1, [FRAME_BINARY] = 2, [FRAME_CLOSE] = 8, [FRAME_PING] = 9, [FRAME_PONG] = 10};
    unsigned char *at = bytes_reserve(out, length + 14), *key;
    size_t head = 2;
    at[0] = 128 | opcodes[kind];
    if (length < 126) {
        at[1] = (unsigned char)(128 | length);
    } else if (length < 65536) {
        at[1] = 128 | 126;
        at[2] = (unsigned char)(length >> 8);
        at[3] = (unsigned char)length;
        head = 4;
    } else {
        at[1] = 128 | 127;
        for (int i = 0; i < 8; i++)
            at[2 + i] = (unsigned char)((uint64_t)length >> (56 - 8 * i));
        head = 10;
    }
    key = at + head;
    memcpy(key, &mask, 4);
    for (size_t i = 0; i < length; i++)
        key[4 + i] = ((const unsigned char *)payload)[i] ^ key[i & 3];
    out->end += head + 4 + length;
}

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    return at;
}

/* The end of the string that begins at `at`, or NULL. */
static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end; at++) {
        if (*at == '\\')
            at++;
        else if (*at == '"')
            return at + 1;
    }
    return NULL;
}

/* The end of the value that begins at `at`, or NULL. Of a nested value only strings and brackets are looked at: what
 * is inside is judged when somebody walks through it. */
static const char *skip_value(const char *at, const char *end)
{
    if (at >= end)
        return NULL;
    if (*at == '"')
        return skip_string(at, end);
    if (*at == '{' || *at == '[') {
        int depth = 0;
        while (at < end) {
            if (*at == '"') {
                at = skip_string(at, end);
                if (!at)
                    return NULL;
                continue;
            }
            if (*at == '{' || *at == '[')
                depth++;
            else if ((*at == '}' || *at == ']') && --depth == 0)
                return at + 1;
            at++;
        }
        return NULL;
    }
    const char *from = at;
    while (at < end && *at != ',' && *at != '}' && *at != ']' && *at != ':' && *at > ' ')
        at++;
    return at > from ? at : NULL;
}

bool json_open(struct json_walk *walk, struct span value, char bracket)
{
    const char *at = value.at ? skip_space(value.at, value.end) : NULL;
    bool opens = at && at < value.end && *at == bracket;
    *walk = (struct json_walk){.at = opens ? at + 1 : NULL,
                               .end = value.end,
                               .close = bracket == '{' ? '}' : ']',
                               .first = true,
                               .broken = !opens};
    return opens;
}

/* Steps over the comma to where the next name or item begins; false at the closing bracket. */
static bool next(struct json_walk *walk)
{
    if (walk->broken || !walk->at)
        return false;
    const char *at = skip_space(walk->at, walk->end);
    if (at < walk->end && *at == walk->close) {
        walk->at = NULL;
        return false;
    }
    if (!walk->first) {
        if (at >= walk->end || *at != ',')
            goto broken;
        at = skip_space(at + 1, walk->end);
    }
    if (at >= walk->end)
        goto broken;
    walk->first = false;
    walk->at = at;
    return true;
broken:
    walk->broken = true;
    return false;
}

bool json_item(struct json_walk *walk, struct span *value)
{
    if (!next(walk))
        return false;
    const char *end = skip_value(walk->at, walk->end);
    if (!end) {
        walk->broken = true;
        return false;
    }
    *value = (struct span){walk->at, end};
    walk->at = end;
    return true;
}

bool json_member(struct json_walk *walk, struct span *name, struct span *value)
{
    if (!next(walk))
        return false;
    const char *end = *walk->at == '"' ? skip_string(walk->at, walk->end) : NULL;
    const char *colon = end ? skip_space(end, walk->end) : NULL;
    if (!colon || colon >= walk->end || *colon != ':') {
        walk->broken = true;
        return false;
    }
    *name = (struct span){walk->at, end};
    const char *from = skip_space(colon + 1, walk->end);
    end = skip_value(from, walk->end);
    if (!end) {
        walk->broken = true;
        return false;
    }
    *value = (struct span){from, end};
    walk->at = end;
    return true;
}

struct span json_text(struct span value)
{
    if (!value.at || value.end - value.at < 2 || *value.at != '"')
        return (struct span){NULL, NULL};
    return (struct span){value.at + 1, value.end - 1};
}

bool json_is(struct span value, const char *text)
{
    struct span inner = json_text(value);
    size_t length = strlen(text);
    return inner.at && (size_t)(inner.end - inner.at) == length && memcmp(inner.at, text, length) == 0;
}

bool json_integer(struct span value, int64_t *integer)
{
    const char *at = value.at;
    if (!at)
        return false;
    bool negative = at < value.end && *at == '-';
    int64_t read = 0;
    at += negative;
    if (at >= value.end || value.end - at > 18)
        return false;
    for (; at < value.end; at++) {
        if (*at < '0' || *at > '9')
            return false;
        read = read * 10 + (*at - '0');
    }
    *integer = negative ? -read : read;
    return true;
}
