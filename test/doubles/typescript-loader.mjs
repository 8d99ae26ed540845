/** Runs TypeScript sources in a child process without a build: `node --import <this file> <file>.ts`. */
import fs from 'node:fs';
import { register } from 'node:module';
import { URL, fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transformFile } from '@swc/core';

const ROOT = new URL('../../', import.meta.url);

/** Compiles pages with the JSX settings of tsconfig.json. */
const PAGE = {
  swcrc: false,
  sourceMaps: 'inline',
  jsc: {
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic', importSource: 'preact' } },
    target: 'es2022',
  },
  module: { type: 'es6' },
};

if (isMainThread) register(import.meta.url);

export async function resolve(specifier, context, next) {
  const alias = /^#(libs|apps)\/(.*)\.js$/.exec(specifier);
  if (alias) return { url: written(new URL(`${alias[1]}/${alias[2]}`, ROOT)).href, shortCircuit: true };
  const source = relativeSource(specifier, context.parentURL);
  return source ? { url: source.href, shortCircuit: true } : next(specifier, context);
}

export async function load(url, context, next) {
  if (!/\.tsx?$/.test(url)) return next(url, context);
  const { code } = await transformFile(fileURLToPath(url), url.endsWith('x') ? PAGE : { sourceMaps: 'inline' });
  return { format: 'module', source: code, shortCircuit: true };
}

function relativeSource(specifier, parent) {
  if (!/^\.{1,2}\/.*\.js$/.test(specifier) || !/\.tsx?$/.test(parent ?? '')) return null;
  const source = written(new URL(specifier.replace(/\.js$/, ''), parent));
  return fs.existsSync(source) ? source : null;
}

function written({ href }) {
  const page = new URL(`${href}.tsx`);
  return fs.existsSync(page) ? page : new URL(`${href}.ts`);
}
