/**
 * Pins what projections make of the story: new versions, those named such as `boards@1`, or `all`. Run:
 * node --import ./test/setup/typescript-loader.mjs test/vectors/pin-documents.ts
 */
import { writeFileSync } from 'node:fs';
import { PROJECTIONS } from '#libs/features/projections.js';
import { foldStory, PINNED_DOCUMENTS, pinName, pinnedDocuments } from './story-documents.js';

const wanted = process.argv.slice(2);
const before = pinnedDocuments();
const pinOf = (name: string, digest: string) =>
  wanted.includes('all') || wanted.includes(name) ? digest : (before[name] ?? digest);
const lines = PROJECTIONS.map(projection => {
  const name = pinName(projection);
  return ` ${JSON.stringify(name)}: ${JSON.stringify(pinOf(name, foldStory(projection).digest))}`;
});
writeFileSync(PINNED_DOCUMENTS, `{\n${lines.sort().join(',\n')}\n}\n`);
