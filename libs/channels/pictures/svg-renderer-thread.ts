import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
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

export interface RenderResult {
  readonly number: number;
  readonly png?: Uint8Array;
  readonly error?: string;
}

/** Messages `{number, svg}` are answered with a `RenderResult`. The thread does not keep the process alive. */
export function startRendererThread({ file: font, family }: Font): Worker {
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
