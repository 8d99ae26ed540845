/** Compiles TypeScript for tests, and caches the result by its content. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync, version } from '@swc/core';

const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/tests/', import.meta.url));
const SWCRC = fs.readFileSync(new URL('../../.swcrc', import.meta.url), 'utf8');

/** Compiles pages with the JSX settings of tsconfig.json. */
const PAGE = {
  swcrc: false,
  jsc: {
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic', importSource: 'preact' } },
    target: 'es2022',
  },
  module: { type: 'es6' },
};

fs.mkdirSync(FOLDER, { recursive: true });

/** Returns the JavaScript of a TypeScript file. */
export function compile(path) {
  const source = fs.readFileSync(path, 'utf8');
  const file = cacheFile(path, source);
  if (fs.existsSync(file)) return fs.readFileSync(file, 'utf8');
  const { code, map } = transformSync(source, {
    ...(path.endsWith('x') ? PAGE : {}),
    filename: path,
    sourceMaps: true,
  });
  write(`${file}.map`, map);
  write(file, code);
  return code;
}

/** Returns the file with the source map of a loaded module, or undefined. */
export function findSourceMap(url) {
  const path = url.startsWith('file:') ? fileURLToPath(url) : url;
  if (!/\.tsx?$/.test(path)) return undefined;
  const file = `${cacheFile(path, fs.readFileSync(path, 'utf8'))}.map`;
  return fs.existsSync(file) ? file : undefined;
}

function cacheFile(path, source) {
  const hash = createHash('sha256');
  for (const part of [version, SWCRC, path, source]) hash.update(part).update('\0');
  return join(FOLDER, `${hash.digest('hex')}.js`);
}

/** Workers write the same files at once. */
function write(file, text) {
  const temporary = `${file}.${process.pid}`;
  fs.writeFileSync(temporary, text);
  fs.renameSync(temporary, file);
}
