import { readdirSync, readFileSync } from 'node:fs';

/** Of the kernel's clock in `/proc`, ms. */
const TICK_MS = 10;
/** Fields of `/proc/<pid>/stat` behind the name of the program: time in user mode, and in the kernel. */
const [USER, KERNEL] = [11, 12];

/** How much of the processor a process has had, ms; 0 for one that is not there, or where there is no `/proc`. */
export function processorMs(pid: number | undefined): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[USER]) + Number(fields[KERNEL])) * TICK_MS;
  } catch {
    return 0;
  }
}

/** The process that was started with a port as an argument of its own. */
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
