import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { Font } from './font.js';

const { resolve } = createRequire(import.meta.url);

/**
 * Frees the renderer and the picture, whose memory is outside of the JavaScript heap. The thread's code is a string
 * because it must be a single file after compilation.
 */
const SOURCE = `
const { readFileSync } = require('node:fs');
const { parentPort, workerData } = require('node:worker_threads');
const { initWasm, Resvg } = require(workerData.renderer);
const ready = initWasm(readFileSync(workerData.wasm));
const font = { fontBuffers: [readFileSync(workerData.font)], defaultFontFamily: workerData.family };
function draw(svg) {
  const renderer = new Resvg(svg, { font });
  try {
    const picture = renderer.render();
    try {
      return picture.asPng();
    } finally {
      picture.free();
    }
  } finally {
    renderer.free();
  }
}
parentPort.on('message', async ({ number, svg }) => {
  try {
    await ready;
    parentPort.postMessage({ number, png: draw(svg) });
  } catch (error) {
    parentPort.postMessage({ number, error: String(error) });
  }
});
`;

interface RenderResult {
  readonly number: number;
  readonly png?: Uint8Array;
  readonly error?: string;
}

/** Messages `{number, svg}` are answered with a `RenderResult`. The thread does not keep the process alive. */
function startRendererThread({ file: font, family }: Font): Worker {
  const workerData = {
    renderer: resolve('@resvg/resvg-wasm'),
    wasm: resolve('@resvg/resvg-wasm/index_bg.wasm'),
    font,
    family,
  };
  const thread = new Worker(SOURCE, { eval: true, workerData });
  thread.unref();
  return thread;
}

/** Includes the picture that is being drawn. */
const PENDING_MAX = 32;
/** A thread that takes longer for one picture is ended, which fails all pending pictures. */
const TIMEOUT_MS = 20 * SECOND_MS;
const RETRY_SECONDS = 2;

interface PendingRender {
  readonly resolve: (png: Buffer) => void;
  readonly reject: (error: Error) => void;
}

/** Draws SVG as PNG, one after the other, on a thread that the first picture starts. */
export class SvgRenderer {
  private readonly pending = new Map<number, PendingRender>();
  private thread: Worker | null = null;
  private timer: NodeJS.Timeout | undefined;
  private lastNumber = 0;

  constructor(private readonly font: Font) {}

  /** Refuses with `busy` while too many pictures are pending. */
  async render(svg: string): Promise<Buffer> {
    if (this.pending.size >= PENDING_MAX)
      throw new Refusal('busy', 'Too many pictures are being drawn. Try again.', { retryAfter: RETRY_SECONDS });
    const thread = (this.thread ??= this.start());
    const number = (this.lastNumber += 1);
    return new Promise((resolve, reject) => {
      this.pending.set(number, { resolve, reject });
      if (this.pending.size === 1) this.startTimer(thread);
      thread.postMessage({ number, svg });
    });
  }

  async stop(): Promise<void> {
    const { thread } = this;
    if (thread) this.fail(thread, new Error('The service is stopping.'));
    await thread?.terminate();
  }

  private start(): Worker {
    const thread = startRendererThread(this.font);
    thread.on('message', (result: RenderResult) => this.complete(thread, result));
    thread.on('error', error => this.fail(thread, error));
    return thread;
  }

  private startTimer(thread: Worker): void {
    clearTimeout(this.timer);
    if (this.pending.size === 0) return;
    this.timer = setTimeout(() => this.fail(thread, new Error('A picture was not drawn in time.')), TIMEOUT_MS);
  }

  private complete(thread: Worker, { number, png, error }: RenderResult): void {
    const render = this.pending.get(number);
    if (!render) return;
    this.pending.delete(number);
    this.startTimer(thread);
    if (png) render.resolve(Buffer.from(png.buffer, png.byteOffset, png.byteLength));
    else render.reject(new Error(`A picture was not drawn: ${error}`));
  }

  /** Fails all pending pictures. The next picture starts another thread. */
  private fail(thread: Worker, error: Error): void {
    if (this.thread !== thread) return;
    this.thread = null;
    clearTimeout(this.timer);
    for (const { reject } of this.pending.values()) reject(error);
    this.pending.clear();
    void thread.terminate();
  }
}
