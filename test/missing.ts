/** `npm run missing`: prints every registration that the tree lacks, without Jest. */
import { findMissing } from './registrations.js';

const missing = await findMissing();
for (const [kind, sentences] of missing)
  process.stdout.write(`Missing: ${kind}\n${sentences.map(sentence => `  ${sentence}\n`).join('')}`);
if (missing.size === 0) process.stdout.write('Nothing is missing.\n');
process.exitCode = missing.size === 0 ? 0 : 1;
