#pragma once

/// Kills the process before its n-th call of the system that concerns files, counted from now on.
///
/// - Parameter step: The number of the call, from 1. Of a call that writes, half is written. With 0, calls are only
///   counted.
void kill_at_step(long step);

/// Lets the n-th call fail with an error of the system, counted from now on. Of a call that writes, half is written.
void fail_at_step(long step, int error);

/// Returns the number of calls so far, or -1 where calls can't be counted.
long count_of_steps(void);

/// Returns the number of bytes that were read with `pread` since calls are counted, or -1 where they can't be.
long count_of_bytes(void);

/// Returns the number of files that were renamed while the disk need not have had what was written last, or -1.
long count_of_renames_of_unsynced(void);

/// Kills the process after a time.
void kill_after_microseconds(long time);

/// Lets no file grow any more, as on a disk that is full.
void fill_disk(void);

/// Lets the parent process trace this one, as a debugger does.
void trace_process(void);

/// Copies the process as it is, for a program that is run many times: nothing is loaded and linked anew. Only a process
/// with one thread may be copied.
///
/// - Returns: 0 in the copy, the copy's number in the original, or -1 where that isn't possible: on Apple's systems a
///   copy can't use Foundation.
int copy_process(void);
