/**
 * Makes missing golden samples and never changes existing ones. Run:
 * node --import ./test/setup/typescript-loader.mjs test/vectors/make-event-samples.ts
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { sampleName, sampleOf } from './event-samples.js';

const FOLDER = new URL('./events/', import.meta.url);

mkdirSync(FOLDER, { recursive: true });
for (const { type, version } of EVENT_TYPES.values()) {
  const file = new URL(sampleName(type, version), FOLDER);
  if (!existsSync(file)) writeFileSync(file, `${JSON.stringify(await sampleOf(type), null, 2)}\n`);
}
