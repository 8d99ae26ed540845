import { readdirSync, readFileSync } from 'node:fs';

const TICK_MS = 10;
/** Fields of `/proc/<pid>/stat` after the program name: user and kernel time. */
const [USER, KERNEL] = [11, 12];

/** Returns 0 if the process or `/proc` is missing. */
export function processorMs(pid: number | undefined): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[USER]) + Number(fields[KERNEL])) * TICK_MS;
  } catch {
    return 0;
  }
}

/** Process that was started with this port as an argument. */
export function startedWith(port: string): number | undefined {
  return processes().find(pid => commandOf(pid).includes(port));
}

function processes(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
