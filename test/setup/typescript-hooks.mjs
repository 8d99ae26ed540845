/** Lets Node import the TypeScript sources of the product and its tests, and `@jest/globals` outside a sandbox. */
import fs from 'node:fs';
import { URL, fileURLToPath } from 'node:url';
import { compile } from './compile.mjs';

const ROOT = new URL('../../', import.meta.url);
const JEST_GLOBALS = new URL('jest-globals.mjs', import.meta.url).href;

export async function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return { url: JEST_GLOBALS, shortCircuit: true };
  const source = sourceOf(specifier, context.parentURL);
  return source ? { url: source.href, shortCircuit: true } : next(specifier, context);
}

export async function load(url, context, next) {
  const { protocol, pathname } = new URL(url);
  if (protocol !== 'file:' || !/\.tsx?$/.test(pathname)) return next(url, context);
  return { format: 'module', source: compile(fileURLToPath(url)), shortCircuit: true };
}

function sourceOf(specifier, parent = '') {
  const alias = /^#(libs|apps)\/(.*)\.js$/.exec(specifier);
  if (alias) return written(new URL(`${alias[1]}/${alias[2]}`, ROOT));
  if (!/^\.{1,2}\/.*\.js$/.test(specifier) || !/\.tsx?(\?.*)?$/.test(parent)) return null;
  return written(new URL(specifier.replace(/\.js$/, ''), parent));
}

function written({ href }) {
  return [new URL(`${href}.ts`), new URL(`${href}.tsx`)].find(url => fs.existsSync(url)) ?? null;
}
