import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { anvilBinary } from './anvil-binary.js';
import { HOST, findNode, probeNode } from './find-node.js';
import type { DevNodeOptions } from './find-node.js';
import { readRecord, writeRecord } from './node-record.js';
import type { NodeRecord } from './node-record.js';
import { findFreePort, isPortFree } from './processes.js';
import type { StateFiles } from './state-files.js';

const START_TIMEOUT_MS = 20_000;
const POLL_MS = 10;
/** The state file, two copies, an empty chain, and a port conflict. */
const ATTEMPTS_MAX = 6;
const STATE_INTERVAL_SECONDS = 1;
/** Without this limit the node writes old states into the home folder. */
const STATES_MAX = 64;

export async function startNode(options: DevNodeOptions, files: StateFiles): Promise<NodeRecord> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const port = options.port || (await choosePort(options));
    const pid = await spawnNode(options, port, files.main);
    if (pid !== null) return { port, pid };
    const runningNode = (await isPortFree(port)) ? null : await findNode({ ...options, port });
    if (runningNode) return runningNode;
    if (files.isReadable()) continue;
    const isCopyUsed = files.restoreCopy();
    options.warn(
      `The state of chain ${options.chainId} cannot be read. The chain starts ${isCopyUsed ? 'from a copy' : 'empty'}.`,
    );
  }
  throw new Error(`The node of chain ${options.chainId} failed to start: see ${logFile(options)}.`);
}

/** Returns the pid, or null if the node ended. Detached, so that it outlives a killed service. */
async function spawnNode(options: DevNodeOptions, port: number, stateFile: string): Promise<number | null> {
  const log = fs.openSync(logFile(options), 'w', 0o600);
  const args = anvilArguments(options.chainId, port, stateFile);
  const child = spawn(anvilBinary(), args, { detached: true, stdio: ['ignore', log, log] });
  fs.closeSync(log);
  if (child.pid) writeRecord(options.folder, options.chainId, { port, pid: child.pid });
  child.unref();
  return (await waitUntilReady(child, port, options.chainId)) ? child.pid! : null;
}

async function waitUntilReady(child: ChildProcess, port: number, chainId: number): Promise<boolean> {
  let hasEnded = false;
  child.once('exit', () => (hasEnded = true)).once('error', () => (hasEnded = true));
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!hasEnded && performance.now() < deadline) {
    await sleep(POLL_MS);
    if ((await probeNode(port))?.chainId === chainId) break;
  }
  if (performance.now() >= deadline) hasEnded = child.kill('SIGKILL') || hasEnded;
  return !hasEnded;
}

function anvilArguments(chainId: number, port: number, stateFile: string): string[] {
  const values = {
    host: HOST,
    port,
    'chain-id': chainId,
    accounts: 1,
    state: stateFile,
    'state-interval': STATE_INTERVAL_SECONDS,
    'prune-history': STATES_MAX,
  };
  return ['--silent', ...Object.entries(values).flatMap(([name, value]) => [`--${name}`, String(value)])];
}

async function choosePort({ folder, chainId }: DevNodeOptions): Promise<number> {
  const last = readRecord(folder, chainId);
  return last && (await isPortFree(last.port)) ? last.port : findFreePort();
}

const logFile = ({ folder, chainId }: DevNodeOptions): string => path.join(folder, `${chainId}.log`);
