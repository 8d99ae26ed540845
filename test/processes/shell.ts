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
    const main = join(transformedSources(), 'apps', 'agent', 'main.js');
    const own = { XDG_CONFIG_HOME: this.config, AGENT_SERVICE: this.world.url, NODE_OPTIONS: '' };
    return spawn(process.execPath, [main, ...argv], {
      cwd: this.world.folder,
      env: { ...process.env, ...own, ...more },
    });
  }

  run(argv: readonly string[], more: object = {}, input = ''): Promise<Ran> {
    const child = this.start(argv, more);
    child.stdin!.end(input);
    const ran = { out: '', err: '' };
    child.stdout!.on('data', (chunk: Buffer) => (ran.out += chunk.toString()));
    child.stderr!.on('data', (chunk: Buffer) => (ran.err += chunk.toString()));
    return new Promise(resolve => child.on('close', code => resolve({ code, ...ran })));
  }

  /** Runs a command that must succeed, and returns its JSON. */
  async json(...argv: string[]): Promise<{ readonly [name: string]: unknown }> {
    const ran = await this.run([...argv, '--json']);
    expect(ran).toMatchObject({ code: 0, err: '' });
    return JSON.parse(ran.out) as { [name: string]: unknown };
  }
}
