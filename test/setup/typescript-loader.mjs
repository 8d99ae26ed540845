/** Runs TypeScript sources in a child process without a build: `node --import <this file> <file>.ts`. */
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) register('./typescript-hooks.mjs', import.meta.url);
