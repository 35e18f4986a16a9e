"""The live room: sockets, and what a process holds in memory of the races they are in."""
