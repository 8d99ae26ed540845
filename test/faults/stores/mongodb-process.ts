import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '#libs/payments/devchain/processes.js';

const START_TIMEOUT_MS = 30_000;
const LOOK_MS = 100;
const TESTS = fileURLToPath(new URL('../../', import.meta.url));
const SERVER = join(TESTS, 'servers', 'mongodb-server.py');

/**
 * A MongoDB compatible server that can be killed and restarted on the same folder and port. It never ends open
 * transactions, so a successor must do that.
 */
export class MongodbProcess {
  private child: ChildProcess | undefined;
  private readonly folder = mkdtempSync(join(tmpdir(), 'mongodb-'));
  private readonly end = () => void this.child?.kill('SIGKILL');

  private constructor(
    private readonly python: string,
    readonly port: number,
  ) {
    process.once('exit', this.end);
  }

  /** Null if with-mongodb.sh has not installed the server. */
  static async start(): Promise<MongodbProcess | null> {
    const python = installed();
    if (python === null) return null;
    const server = new MongodbProcess(python, await findFreePort());
    await server.restart();
    return server;
  }

  async restart(): Promise<void> {
    const place = ['--host', '127.0.0.1', '--port', String(this.port), '--storage-path', join(this.folder, 'data')];
    this.child = spawn(this.python, [SERVER, ...place, '--sync-on-commit'], { cwd: this.folder, stdio: 'ignore' });
    for (const until = Date.now() + START_TIMEOUT_MS; Date.now() < until;) {
      if (await answers(this.port)) return;
      if (this.child.exitCode !== null) break;
      await pause(LOOK_MS);
    }
    throw new Error('The MongoDB server for tests did not start.');
  }

  /** Kills the process like a power failure, without a final write. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise(resolve => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  async remove(): Promise<void> {
    await this.kill();
    process.off('exit', this.end);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function installed(): string | null {
  const input = readFileSync(join(TESTS, 'servers', 'requirements.txt'));
  const sum = execFileSync('cksum', { input, encoding: 'utf8' }).split(' ')[0]!;
  const folder = join(TESTS, '..', 'node_modules', '.cache', `mongodb-server-${sum}`);
  return existsSync(join(folder, 'complete')) ? join(folder, 'bin', 'python3') : null;
}

function answers(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
