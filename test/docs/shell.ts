import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

const END = 'end of this block';

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
