import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ADDRESS_FILE } from '#libs/setup/address-file.js';
import { announceReady } from './announce-ready.js';

const LOOK_MS = 20;

/** Runs the built service like `npm start`, with settings from the environment. */
const address = join(process.env['DATA_DIR']!, ADDRESS_FILE);
await import(new URL('../../programs/gateway.js', import.meta.url).href);
while (!existsSync(address)) await pause(LOOK_MS);
const url = readFileSync(address, 'utf8').trim();
const answer = await fetch(`${url}/api/x402`);
const { dev } = (await answer.json()) as { dev?: { rpc: { [short: string]: string } } };
announceReady({ port: Number(new URL(url).port), rpc: dev?.rpc ?? {} });
