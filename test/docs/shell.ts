import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const END = 'end of this block';

/** Environment of a user's shell, without the npm that runs these tests. */
export const ENVIRONMENT = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(lifecycle|package|command)/.test(name))),
  NODE_OPTIONS: '',
  PORT: '0',
  DEV_CHAIN_PORTS: '0,0',
  NO_COLOR: '1',
};

/** Returns the address that a service prints at its start. */
export async function addressOf(service: ChildProcess): Promise<string> {
  const lines: string[] = [];
  for await (const line of createInterface(service.stdout!)) {
    lines.push(line);
    const address = /^ +address +(\S+)$/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`The service did not start.\n${lines.join('\n')}`);
}

export class Shell {
  private readonly child: ChildProcessWithoutNullStreams;
  private output = '';
  private errors = '';
  private onOutput: () => void = () => {};

  constructor(folder: string, environment: NodeJS.ProcessEnv) {
    this.child = spawn('bash', ['-e'], { cwd: folder, env: environment });
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.output += text;
      this.onOutput();
    });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (this.errors += text));
    this.child.once('close', () => this.onOutput());
  }

  /** Returns the output of the commands, or throws it if one of them fails. */
  async run(commands: string): Promise<string> {
    [this.output, this.errors] = ['', ''];
    this.child.stdin.write(`${commands}\necho; echo '${END}'\n`);
    await new Promise<void>(resolve => {
      this.onOutput = () => {
        if (this.output.endsWith(`${END}\n`) || this.hasEnded()) resolve();
      };
      this.onOutput();
    });
    if (this.hasEnded()) throw new Error(`${commands}\n${this.output}\n${this.errors}`);
    return this.output.slice(0, -END.length - 1);
  }

  async end(): Promise<void> {
    if (this.hasEnded()) return;
    const closed = new Promise(resolve => this.child.once('close', resolve));
    this.child.stdin.end();
    await closed;
  }

  private hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }
}
