import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RpcAddress } from '#libs/payments/rpc.js';
import {
  HOST,
  findNode,
  type DevNodeOptions,
  folderDigest,
  type NodeRecord,
  probeNode,
  readRecord,
  writeMarker,
  writeRecord,
} from './find-node.js';
import { endProcess, isNodeAt, findFreePort, isPortFree } from './processes.js';

const NODE_TIMEOUT_MS = 10_000;
const START_TIMEOUT_MS = 20_000;
const POLL_MS = 10;
/** The state file, two copies, an empty chain, and a port conflict. */
const ATTEMPTS_MAX = 6;
const STATE_INTERVAL_SECONDS = 1;
/** Without this limit the node writes old states into the home folder. */
const STATES_MAX = 64;
const COPY_EVERY_MS = 5_000;
const COPIES = [1, 2];

export class DevNode {
  readonly url: string;
  readonly rpc: RpcAddress;

  private constructor(
    private readonly record: NodeRecord,
    private readonly files: StateFiles,
  ) {
    this.url = `http://${HOST}:${record.port}`;
    this.rpc = new RpcAddress(this.url, NODE_TIMEOUT_MS);
  }

  static async start(options: DevNodeOptions): Promise<DevNode> {
    fs.mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    const files = new StateFiles(options.folder, options.chainId);
    const record = (await findNode(options)) ?? (await startNode(options, files));
    const node = new DevNode(record, files);
    if (record.pid !== null) await node.takeOwnership(options, record.pid);
    return node;
  }

  async stop(): Promise<void> {
    const { pid, port } = this.record;
    this.files.stopCopying();
    if (pid !== null && isNodeAt(pid, port)) await endProcess(pid);
  }

  private async takeOwnership({ folder, chainId }: DevNodeOptions, pid: number): Promise<void> {
    writeRecord(folder, chainId, this.record);
    await writeMarker(this.rpc, { pid, owner: process.pid, folder: folderDigest(folder) });
    this.files.startCopying();
  }
}

async function startNode(options: DevNodeOptions, files: StateFiles): Promise<NodeRecord> {
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

/**
 * State of one node. The node writes its file in place, so a kill may truncate it: a start then uses one of two
 * alternating copies, or an empty chain.
 */
class StateFiles {
  readonly main: string;
  private timer: NodeJS.Timeout | null = null;
  private copiedAtMs = 0;
  private copyCount = 0;

  constructor(folder: string, chainId: number) {
    this.main = path.join(folder, `${chainId}.state.json`);
  }

  /** True for a missing file too: then the state is not why the node fails to start. */
  isReadable(): boolean {
    try {
      JSON.parse(fs.readFileSync(this.main, 'utf8'));
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT';
    }
  }

  restoreCopy(): boolean {
    if (fs.existsSync(this.main)) fs.renameSync(this.main, `${this.main}.broken`);
    const [newest] = this.copiesByAge();
    if (newest) fs.renameSync(newest, this.main);
    return newest !== undefined;
  }

  startCopying(): void {
    this.timer ??= setInterval(() => void this.copy(), COPY_EVERY_MS).unref();
  }

  stopCopying(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  async copy(): Promise<void> {
    const target = this.copyPath(COPIES[this.copyCount % COPIES.length]!);
    try {
      const { mtimeMs } = await fs.promises.stat(this.main);
      if (mtimeMs === this.copiedAtMs) return;
      await fs.promises.copyFile(this.main, `${target}.new`);
      await fs.promises.rename(`${target}.new`, target);
      this.copiedAtMs = mtimeMs;
      this.copyCount += 1;
    } catch {
      this.copiedAtMs = 0;
    }
  }

  private copiesByAge(): string[] {
    const paths = COPIES.map(number => this.copyPath(number)).filter(name => fs.existsSync(name));
    return paths.sort((a, b) => fs.statSync(b).mtimeMs - fs.statSync(a).mtimeMs);
  }

  private copyPath(copy: number): string {
    return `${this.main}.${copy}`;
  }
}

const PACKAGES: { readonly [platform: string]: string } = {
  'linux-x64': '@foundry-rs/anvil-linux-amd64',
  'linux-arm64': '@foundry-rs/anvil-linux-arm64',
  'darwin-x64': '@foundry-rs/anvil-darwin-amd64',
  'darwin-arm64': '@foundry-rs/anvil-darwin-arm64',
  'win32-x64': '@foundry-rs/anvil-win32-amd64',
};

/**
 * Path of the EVM node's binary. Resolved from the package that depends on it, because that package's own start script
 * would add a process.
 */
export function anvilBinary(platform = `${process.platform}-${process.arch}`, from = import.meta.url): string {
  const name = PACKAGES[platform];
  if (!name) throw new Error(`CHAIN=dev has no node for ${platform}. Set CHAIN=rpc.`);
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  try {
    return createRequire(createRequire(from).resolve('@foundry-rs/anvil/package.json')).resolve(`${name}/bin/${file}`);
  } catch (cause) {
    const problem = `CHAIN=dev needs the optional package ${name}, which is not installed.`;
    throw new Error(`${problem} Run npm ci without --omit=optional, or set CHAIN=rpc.`, { cause });
  }
}
