import fs from 'node:fs';
import path from 'node:path';

const COPY_EVERY_MS = 5_000;
const COPIES = [1, 2];

/**
 * State of one node. The node writes its file in place, so a kill may truncate it: a start then uses one of two
 * alternating copies, or an empty chain.
 */
export class StateFiles {
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
