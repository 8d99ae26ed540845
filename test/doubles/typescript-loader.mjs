/**
 * Lets a child process run the sources as they are, without a build: `node --import <this file> <file>.ts`. For tests
 * that kill a process.
 */
import fs from 'node:fs';
import { register } from 'node:module';
import { URL, fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transformFile } from '@swc/core';

const ROOT = new URL('../../', import.meta.url);

if (isMainThread) register(import.meta.url);

export async function resolve(specifier, context, next) {
  const alias = /^#(libs|apps)\/(.*)\.js$/.exec(specifier);
  if (alias) return { url: new URL(`${alias[1]}/${alias[2]}.ts`, ROOT).href, shortCircuit: true };
  const source = relativeSource(specifier, context.parentURL);
  return source ? { url: source.href, shortCircuit: true } : next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { code } = await transformFile(fileURLToPath(url), { sourceMaps: 'inline' });
  return { format: 'module', source: code, shortCircuit: true };
}

function relativeSource(specifier, parent) {
  if (!/^\.{1,2}\/.*\.js$/.test(specifier) || !parent?.endsWith('.ts')) return null;
  const source = new URL(specifier.replace(/\.js$/, '.ts'), parent);
  return fs.existsSync(source) ? source : null;
}
