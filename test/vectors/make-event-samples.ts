/**
 * Makes missing golden samples, and those again that it is given, such as `JobPosted@1`. Run:
 * node --import ./test/setup/typescript-loader.mjs test/vectors/make-event-samples.ts [type@version...]
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { sampleName, sampleOf } from './event-samples.js';

const FOLDER = new URL('./events/', import.meta.url);

const again = new Set(process.argv.slice(2));

mkdirSync(FOLDER, { recursive: true });
for (const { type, version } of EVENT_TYPES.values()) {
  const file = new URL(sampleName(type, version), FOLDER);
  if (!existsSync(file) || again.has(`${type}@${version}`))
    writeFileSync(file, `${JSON.stringify(await sampleOf(type), null, 2)}\n`);
}
