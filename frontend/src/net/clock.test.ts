import { describe, expect, it } from 'vitest';
import { fastestTrip, greeted, ponged, serverTime, UNSET } from './clock';

describe('clock', () => {
  it('shows the time of the greeting until a ping returns', () => {
    expect(serverTime(greeted(1_000_000, 50), 60)).toBe(1_000_010);
    expect(fastestTrip(greeted(1_000_000, 50))).toBeNull();
  });

  it('prefers the fastest ping to the newest', () => {
    let clock = greeted(1_000_000, 0);
    clock = ponged(clock, 100, 1_000_110, 120); // trip 20: right in the middle
    clock = ponged(clock, 200, 1_000_205, 900); // a slow answer would be 345 ms off
    expect(serverTime(clock, 1000)).toBe(1_001_000);
    expect(fastestTrip(clock)).toBe(20);
  });

  it('forgets old pings', () => {
    let clock = ponged(UNSET, 0, 5_000, 0);
    for (let i = 0; i < 12; i++) clock = ponged(clock, i * 1000, 9_000 + i * 1000, i * 1000 + 100);
    expect(serverTime(clock, 0)).toBe(8_950);
  });
});
