/* count: how long things took, and how often each word was met. */
#ifndef BENCH_COUNT_H
#define BENCH_COUNT_H

#include <stddef.h>
#include <stdint.h>

/* Times in microseconds, kept to within one part in 64, the longest exactly. */
#define BUCKETS 2048
struct histogram {
    uint64_t buckets[BUCKETS], count, longest;
};

void histogram_add(struct histogram *histogram, double seconds);
/* The time in milliseconds that `share` (0 to 1) of the samples do not exceed. */
double histogram_ms(const struct histogram *histogram, double share);

/* How often each word (a reason, a close code) was met. */
struct tally {
    struct {
        char word[40];
        uint64_t count;
    } rows[32];
    int length;
};

void tally_add(struct tally *tally, const char *word, size_t length);
uint64_t tally_total(const struct tally *tally);

#endif
