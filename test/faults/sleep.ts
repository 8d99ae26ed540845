/** What the file of crash points begins with where the process is to sleep (SIGSTOP) rather than to die. */
export const SLEEP = 'sleep ';
