/* try_wire: throws damaged, cut and fragmented bytes at the racers' reader; built with sanitizers, it must end with 0. */
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 7;

static uint32_t chance(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

static void walk(struct span value, int depth)
{
    struct json_walk object, array;
    struct span name, inner;
    int64_t integer;
    json_integer(value, &integer);
    json_is(value, "moved");
    json_text(value);
    if (depth == 6)
        return;
    if (json_open(&object, value, '{'))
        while (json_member(&object, &name, &inner))
            walk(inner, depth + 1);
    if (json_open(&array, value, '['))
        while (json_item(&array, &inner))
            walk(inner, depth + 1);
}

/* Server frames of one message in random fragments with pings between them. */
static void write_fragments(struct bytes *out, const char *text, size_t length)
{
    size_t at = 0;
    do {
        size_t size = length - at ? 1 + chance((uint32_t)(length - at)) : 0;
        bool last = at + size == length;
        unsigned char head[10] = {(unsigned char)((last ? 128 : 0) | (at ? 0 : 1)), (unsigned char)size};
        size_t before = 2;
        if (size > 125 || chance(8) == 0) { /* also in the long forms */
            before = size > 65535 || chance(2) ? 10 : 4;
            head[1] = before == 4 ? 126 : 127;
            for (size_t i = 2; i < before; i++)
                head[i] = (unsigned char)(before - 1 - i < 8 ? size >> (8 * (before - 1 - i)) : 0);
        }
        bytes_add(out, head, before);
        bytes_add(out, text + at, size);
        if (chance(3) == 0)
            bytes_add(out, "\x89\x04ping", 6);
        at += size;
    } while (at < length);
}

/* Feeds `data` in pieces and walks through all that comes out; gives the number of texts that equal `text`. */
static int feed(const unsigned char *data, size_t length, size_t piece, const char *text, size_t text_length)
{
    struct frame_reader reader = {0};
    const char *payload;
    size_t size, at = 0;
    int equal = 0;
    enum frame kind = FRAME_NONE;
    while (at < length && kind != FRAME_BROKEN) {
        size_t part = piece ? piece : 1 + chance(300);
        if (part > length - at)
            part = length - at;
        /* an exact copy, so that reading past the end is seen */
        unsigned char *copy = malloc(part);
        memcpy(copy, data + at, part);
        bytes_add(&reader.in, copy, part);
        free(copy);
        at += part;
        while ((kind = frame_read(&reader, &payload, &size)) != FRAME_NONE && kind != FRAME_BROKEN) {
            char *exact = malloc(size + 1);
            memcpy(exact, payload, size);
            char *tight = realloc(exact, size ? size : 1);
            if (kind == FRAME_TEXT) {
                walk((struct span){tight, tight + size}, 0);
                equal += size == text_length && memcmp(tight, text, size) == 0;
            }
            free(tight);
        }
    }
    bytes_free(&reader.in);
    bytes_free(&reader.message);
    return equal;
}

int main(void)
{
    static const char text[] =
        "{\"type\":\"moved\",\"moves\":[[17,204,\"ab\",93211,9,204,3],[18,1,\"<<\",-4,8,0,3,{\"a\":\"TS\"}]],"
        "\"name\":\"\\\"]},\\\\\",\"none\":null, \"yes\" : true,\"log\":{\"17\":\"abcd**\"}}";
    size_t length = sizeof text - 1;
    for (int round = 0; round < 20000; round++) {
        struct bytes stream = {0};
        int messages = 1 + (int)chance(4);
        for (int i = 0; i < messages; i++)
            write_fragments(&stream, text, length);
        if (feed(stream.at, stream.end, round % 3 ? 0 : 1, text, length) != messages) {
            fprintf(stderr, "round %d: a whole stream was not read whole\n", round);
            return 1;
        }
        for (int damage = 0; damage < 3; damage++)
            stream.at[chance((uint32_t)stream.end)] = (unsigned char)chance(256);
        feed(stream.at, stream.end - chance((uint32_t)stream.end), 0, text, length);
        bytes_free(&stream);
        char *damaged = malloc(length);
        memcpy(damaged, text, length);
        for (int damage = 0; damage < 4; damage++)
            damaged[chance((uint32_t)length)] = "{}[]\",:\\ 0a"[chance(11)];
        walk((struct span){damaged, damaged + 1 + chance((uint32_t)length)}, 0);
        free(damaged);
        unsigned char head[256];
        static const char answer[] = "HTTP/1.1 101 Switching\r\nSec-WebSocket-Protocol: crescent.1\r\n\r\n";
        memcpy(head, answer, sizeof answer - 1);
        int status;
        if (handshake_read(head, sizeof answer - 1, &status) != (long)sizeof answer - 1)
            return 1;
        head[chance(sizeof answer - 1)] = (unsigned char)chance(256);
        handshake_read(head, chance(sizeof answer), &status);
    }
    return 0;
}
