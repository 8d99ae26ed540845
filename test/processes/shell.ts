import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { transformedSources } from '../doubles/transformed-sources.js';
import type { World } from '../world.js';

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Starts an app of this project. */
export function startApp(app: string, argv: readonly string[], cwd: string, env: object): ChildProcess {
  const main = join(transformedSources(), 'apps', app, 'main.js');
  return spawn(process.execPath, [main, ...argv], { cwd, env: { ...process.env, NODE_OPTIONS: '', ...env } });
}

/** Resolves when the process has ended. */
export function outcomeOf(child: ChildProcess): Promise<Ran> {
  const ran = { out: '', err: '' };
  child.stdout!.on('data', (chunk: Buffer) => (ran.out += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (ran.err += chunk.toString()));
  return new Promise(resolve => child.on('close', code => resolve({ code, ...ran })));
}

/** A local user with a settings folder and thus an agent. */
export class Shell {
  constructor(
    readonly config: string,
    private readonly world: World,
  ) {
    mkdirSync(config, { recursive: true });
  }

  get file(): string {
    return join(this.config, 'agent-job-network', 'identity.json');
  }

  get kept(): { readonly [name: string]: string } {
    return JSON.parse(readFileSync(this.file, 'utf8')) as { [name: string]: string };
  }

  start(argv: readonly string[], more: object = {}): ChildProcess {
    const own = { XDG_CONFIG_HOME: this.config, AGENT_SERVICE: this.world.url };
    return startApp('agent', argv, this.world.folder, { ...own, ...more });
  }

  run(argv: readonly string[], more: object = {}, input = ''): Promise<Ran> {
    const child = this.start(argv, more);
    child.stdin!.end(input);
    return outcomeOf(child);
  }

  /** Runs a command that must succeed, and returns its JSON. */
  async json(...argv: string[]): Promise<{ readonly [name: string]: unknown }> {
    const ran = await this.run([...argv, '--json']);
    expect(ran).toMatchObject({ code: 0, err: '' });
    return JSON.parse(ran.out) as { [name: string]: unknown };
  }

  /** Runs a command that must be refused, and returns its JSON. */
  async refusal(...argv: string[]): Promise<unknown> {
    const { code, out } = await this.run([...argv, '--json']);
    expect(code).toBe(1);
    return JSON.parse(out);
  }

  /** Runs a command that must fail, and returns its error. */
  async failure(...argv: string[]): Promise<string> {
    const { code, err } = await this.run(argv);
    expect(code).toBe(1);
    return err;
  }
}
