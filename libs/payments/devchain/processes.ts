import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const END_TIMEOUT_MS = 5_000;
const POLL_MS = 5;
const FIRST_PORT = 20_000;
/** Linux assigns ephemeral ports from here on, other systems from 49152 (RFC 6335, section 6). */
const FIRST_EPHEMERAL_PORT = 32_768;

/** False for a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return !/^\d+ \(.*\) Z/.test(readProcFile(pid, 'stat') ?? '');
}

/** Protects a process that has reused the pid. */
export function isNodeAt(pid: number, port: number): boolean {
  if (!isAlive(pid)) return false;
  const line = readProcFile(pid, 'cmdline');
  return line === null || (line.includes('anvil') && line.split('\0').includes(String(port)));
}

export async function endProcess(pid: number): Promise<void> {
  sendSignal(pid, 'SIGTERM');
  const deadline = performance.now() + END_TIMEOUT_MS;
  while (isAlive(pid) && performance.now() < deadline) await sleep(POLL_MS);
  if (isAlive(pid)) sendSignal(pid, 'SIGKILL');
}

/** Stays below the ephemeral ports, which the system could assign to a connection in the meantime. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, FIRST_EPHEMERAL_PORT);
    if (await isPortFree(port)) return port;
  }
}

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
    // Already ended.
  }
}

function readProcFile(pid: number, name: string): string | null {
  try {
    return fs.readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return null;
  }
}
