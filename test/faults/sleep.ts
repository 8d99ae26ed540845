/** Prefix of a crash point at which the process sleeps (SIGSTOP) instead of dying. */
export const SLEEP = 'sleep ';
