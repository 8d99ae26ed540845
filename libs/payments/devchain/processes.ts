import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A node that was asked to end writes its state first. */
const END_TIMEOUT_MS = 5_000;
const POLL_MS = 5;
const FIRST_PORT = 20_000;
/** Linux gives out ports from here on by itself, other systems from 49152 (RFC 6335, section 6). */
const FIRST_EPHEMERAL_PORT = 32_768;

/** Whether a process is there and not merely waiting to be collected by its parent. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return !/^\d+ \(.*\) Z/.test(readProcFile(pid, 'stat') ?? '');
}

/** Whether the process is the node at that port; a number that went to another program since must not be ended. */
export function isNodeAt(pid: number, port: number): boolean {
  if (!isAlive(pid)) return false;
  const line = readProcFile(pid, 'cmdline');
  return line === null || (line.includes('anvil') && line.split('\0').includes(String(port)));
}

/** Ends a process and waits until it has ended; after 5 s it is killed. */
export async function endProcess(pid: number): Promise<void> {
  sendSignal(pid, 'SIGTERM');
  const deadline = performance.now() + END_TIMEOUT_MS;
  while (isAlive(pid) && performance.now() < deadline) await sleep(POLL_MS);
  if (isAlive(pid)) sendSignal(pid, 'SIGKILL');
}

/** A port that is free now, and that the system gives to nobody who names none, as a connection that begins meanwhile. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, FIRST_EPHEMERAL_PORT);
    if (await isPortFree(port)) return port;
  }
}

/** Whether nothing listens there. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = net.createServer();
  return new Promise(resolve => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself.
  }
}

/** Null where the system has no such files. */
function readProcFile(pid: number, name: string): string | null {
  try {
    return fs.readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return null;
  }
}
