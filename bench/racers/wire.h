/* wire: the bytes of one WebSocket client and a reader of JSON; no sockets here, so all of it can be fuzzed. */
#ifndef BENCH_WIRE_H
#define BENCH_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing run of bytes. `start` is where the unread part begins. */
struct bytes {
    unsigned char *at;
    size_t start, end, room;
};

/* Makes room for `extra` bytes behind the end and returns where they go. */
unsigned char *bytes_reserve(struct bytes *bytes, size_t extra);
void bytes_add(struct bytes *bytes, const void *data, size_t length);
void bytes_free(struct bytes *bytes);

/* ---- the opening handshake (RFC 6455, section 4) */

#define SUBPROTOCOL "crescent.1"

/* Appends the upgrade request; `cookie` is the value of the Cookie header, or NULL for none. */
void handshake_write(struct bytes *out, const char *host, int port, const char *path,
                     const char *cookie);

/* Returns the length of the answer's head once it is all there, 0 while it is not, and -1 when it is not an
 * acceptance that selects SUBPROTOCOL. `*status` is the HTTP status where one could be read. The accept key is not
 * checked: it guards against proxies that answer from a cache, and the load stays on the loopback. */
long handshake_read(const unsigned char *data, size_t length, int *status);

/* ---- frames (RFC 6455, section 5) */

enum frame { FRAME_NONE, FRAME_TEXT, FRAME_BINARY, FRAME_CLOSE, FRAME_PING, FRAME_PONG, FRAME_BROKEN };

/* No message of the protocol comes near this; a longer one means that the reader has lost its place. */
#define LONGEST_MESSAGE ((size_t)16 << 20)

struct frame_reader {
    struct bytes in;      /* what came from the socket and is not yet a message */
    struct bytes message; /* the fragments of a message so far */
    int opcode;           /* of that message; 0 when none is open */
};

/* Takes the next whole message (fragments joined) or control frame from `reader->in`. The payload stays valid until
 * bytes are added or the next call. FRAME_BROKEN is final. */
enum frame frame_read(struct frame_reader *reader, const char **payload, size_t *length);

/* Appends one whole masked frame. */
void frame_write(struct bytes *out, enum frame kind, const void *payload, size_t length,
                 uint32_t mask);

/* ---- JSON: values are spans of the text, read only where they are needed */

struct span {
    const char *at, *end;
};

struct json_walk {
    const char *at, *end;
    char close;
    bool first, broken;
};

/* Begins a walk through an object ('{') or array ('['); false when `value` is none. A walk never leaves its span, and
 * `broken` says afterwards whether it ended at the closing bracket or at something unreadable. */
bool json_open(struct json_walk *walk, struct span value, char bracket);
bool json_member(struct json_walk *walk, struct span *name, struct span *value);
bool json_item(struct json_walk *walk, struct span *value);

/* Whether the span is the string `text`; names and words of the protocol are never escaped. */
bool json_is(struct span value, const char *text);
bool json_integer(struct span value, int64_t *integer);
/* The text between the quotes, as it stands; an empty span when it is no string. */
struct span json_text(struct span value);

#endif
