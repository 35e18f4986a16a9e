/* fleet: the racers and watchers of a plan, their clients, and what was counted while they raced. */
#ifndef BENCH_FLEET_H
#define BENCH_FLEET_H

#include "count.h"
#include "wire.h"

struct script {
    char *name, *codes;
    uint32_t length; /* actions, two characters each */
};

enum state { UNBORN, CONNECTING, SHAKING, OPEN, WELCOMED, DEAD };

struct heard {
    uint32_t base, seq; /* where hearing began, the last heard */
    uint32_t missing;   /* jumped over */
};

struct client {
    int fd;
    enum state state;
    bool racing;       /* a racer that has its table */
    bool recovering;   /* was refused: waits for what is under way, then goes on from what is acknowledged */
    bool halted;       /* gave up after being refused again and again, or after a fault */
    bool wants_out;
    struct race *race;
    char *cookie;          /* NULL: none */
    struct script *script; /* NULL: a watcher */
    struct frame_reader reader;
    struct bytes out;
    double born, welcomed, next_ping, pinged; /* clock seconds; pinged is 0 while no pong is awaited */
    uint32_t frames, told;                    /* heard so far, and how many of them a ping has told */
    uint32_t base, sent, acked;               /* of its own game: the seq at welcome, the last sent, the last acknowledged */
    uint32_t under_way, refused_in_a_row;
    double *due;         /* when each seq should have been sent */
    struct heard *heard; /* for each slot of the race */
    int heard_length;
};

/* A slot is a game of the race; `seat` is the client that plays it, when it is one of ours. */
struct race {
    char *code;
    struct client **clients;
    int length, welcomed;
    struct {
        int64_t id;
        struct client *seat;
    } *slots;
    int slots_length;
    struct client *host;
    bool started;
};

struct fleet {
    /* what is wanted */
    const char *address;
    int port, connecting_at_once;
    double rate;       /* moves a second a racer; 0: the next when the last is acknowledged */
    double ping_every;    /* seconds; 0: never */
    uint32_t ping_frames; /* but not later than after so many frames */
    size_t read_at_most;
    /* the plan */
    struct script *scripts;
    struct race *races;
    struct client *clients;
    int scripts_length, races_length, length, racers;
    /* now */
    int epoll, connecting, unborn, dead;
    bool racing, offering;    /* whether moves may be sent; whether the open loop offers them */
    double from, until;       /* the timed window */
    struct client **order;    /* the racers' turns in the open loop */
    uint64_t turn;
    double next_arrival, next_ping_round;
    /* counted from the first act to the last */
    uint64_t sent, acked, refused, offered_in_vain, repeated, mistaken, finished, faults;
    uint64_t pings, pongs, bytes_in, frames_in, broken;
    /* counted in the window */
    uint64_t acked_in_window, sent_in_window;
    struct histogram acting, pushing, joining, ponging;
    struct tally refusals, closes, fault_words;
};

extern struct fleet fleet;

double clock_now(void);
/* Makes room for one more item in an array of `length` that only this function has sized. */
void *grow(void *array, size_t length, size_t size);
/* Reads the plan; exits with a message when it can't be read. */
void fleet_read_plan(const char *file);
void fleet_open(uint64_t seed);
/* Connects what is not yet connected, sends what is due, and handles what comes, at most until `until`. */
void fleet_turn(double until);
/* Sends `start` in every race that has not started. */
void fleet_start_races(void);
/* Lets every racer play, in the closed loop by sending the first move. */
void fleet_race(void);
bool fleet_all_welcomed(void);
bool fleet_all_racing(void);
/* Whether no living client waits for a pong. */
bool fleet_all_ponged(void);
/* Whether every act is answered and every push of it was seen by every living client of its race. */
bool fleet_settled(void);
/* The pushes that every client should have heard, and that it did. */
void fleet_count_pushes(uint64_t *expected, uint64_t *delivered);
void fleet_close(void);

#endif
