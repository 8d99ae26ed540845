import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { Muse } from '#libs/domain/muse.js';
import { fold } from '#libs/documents/fold.js';
import type { FoldedDocument } from '#libs/documents/document-store.port.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { storyEvents } from './event-samples.js';
import { LONG_STORY } from './long-story.js';

export const PINNED_DOCUMENTS = new URL('./story-documents.json', import.meta.url);
const DIGITS = 8;

/** Folded by projections of every event, so that a new event type of another stream changes nothing. */
const MUSE_TYPES = Muse.events.map(({ type }) => type);

interface StoryDocuments {
  /** Digest of every document after every event. */
  readonly digest: string;
  /** Event types that never change a document. */
  readonly unusedSteps: readonly string[];
}

/** Folds the events of a projection, counted by themselves, so that other events change nothing. */
export function foldStory(projection: Projection): StoryDocuments {
  const types = projection.raw ? MUSE_TYPES : projection.types;
  const documents = new Map<string, FoldedDocument>();
  const used = new Set<string>();
  const changes: [id: string, body: JsonObject | null][] = [];
  for (const event of storyEvents(LONG_STORY.filter(({ fact }) => types.includes(fact.type)))) {
    for (const document of fold(projection, [event], documents)) {
      const { id, body } = document;
      if (isDeepStrictEqual(documents.get(id)?.body ?? null, body)) continue;
      documents.set(id, document);
      used.add(event.type);
      changes.push([id, body]);
    }
  }
  const digest = sha256Hex(canonicalJson(changes)).slice(0, DIGITS);
  return { digest, unusedSteps: types.filter(type => !used.has(type)) };
}

export const pinName = ({ name, version }: Projection) => `${name}@${version}`;

export const pinnedDocuments = () =>
  JSON.parse(readFileSync(PINNED_DOCUMENTS, 'utf8')) as { readonly [projection: string]: string };
