import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Compile } from 'typebox/schema';
import type { AnyEventType } from '#libs/kernel/event-type.js';
import { Codec } from '#libs/event-log/codec.js';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import type { Authorization, Event, NewEvent, StoredEvent } from '#libs/kernel/event.js';
import { POSITION_WIDTH } from '#libs/kernel/event.js';
import { deriveEventId, sha256Hex } from '#libs/kernel/ids.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { computeCommitment } from '#libs/kernel/commitment.js';
import { eventDigest } from '#libs/platform/signing/event-digest.js';
import type { Vault } from '#libs/platform/vault/port.js';
import { STORY, type StoryEvent } from './event-story.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

/** Unix ms of the first event; each next event is a second later. */
const BEGIN = 1_795_262_400_000;
const STEP_MS = 1_000;

/** Golden sample: a stored event, its digest and its opened data. */
export interface Sample {
  readonly event: StoredEvent;
  readonly digest: string;
  readonly opened: Json;
}

export const sampleName = (type: string, version: number) => `${type}.v${version}.json`;

const sampleKey = (name: string) => Buffer.from(sha256Hex(`golden sample: ${name}`), 'hex');

/** Keys derived from their names, so that samples always open. */
export const SAMPLE_VAULT: Vault = {
  get: async name => sampleKey(name),
  getMany: async names => new Map(names.map(name => [name, sampleKey(name)])),
  putIfAbsent: async name => sampleKey(name),
  replace: () => Promise.reject(new Error('The keys of samples stay.')),
  destroy: () => Promise.reject(new Error('The keys of samples stay.')),
  list: async () => [],
  close: async () => undefined,
};

export const sampleCodec = () => new Codec(new MuseKeys(SAMPLE_VAULT), EVENT_TYPES);

const SALT = '05'.repeat(32);

function authorizationOf(actor: string): Authorization {
  if (actor === 'service') return { mode: 'service', reason: 'a sample' };
  const fields = { note: 'Ein schöner Text.' };
  if (actor === 'agent_poster0000')
    return { mode: 'bearer', token: '0123456789abcdef', endpoint: 'job', sealed: { fields } };
  return {
    mode: 'signature',
    public_key: 'A'.repeat(43),
    endpoint: 'apply',
    timestamp: String(BEGIN),
    nonce: 'nonce-of-a-sample-',
    commitment: computeCommitment(SALT, 'the signed message'),
    sealed: { signature: 'B'.repeat(86), fields, salt: SALT },
  };
}

/** Story as clear events in log order. */
export function storyEvents(story: readonly StoryEvent[] = STORY): Event[] {
  const revisions = new Map<string, number>();
  return story.map(({ actor, stream, fact }, index) => {
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    const envelope: NewEvent = {
      ...fact,
      id: deriveEventId('sample', stream, fact.type, revision),
      stream,
      actor,
      at: BEGIN + index * STEP_MS,
      cause: 'request/sample',
      decided_by: 'sample@1',
      based_on: { [`muse-${actor}`]: 3 },
      authorization: authorizationOf(actor),
    };
    return { ...envelope, revision, position: String(index + 1).padStart(POSITION_WIDTH, '0') };
  });
}

const FOLDER = new URL('./events/', import.meta.url);
const isSealed = (value: unknown) => typeof value === 'object' && value !== null && 'sealed' in value;

type DeclaredEvent = Pick<AnyEventType, 'type' | 'version' | 'versions' | 'schema' | 'seals'>;

/** Whether the newest sample has the fields of the declared event, each sealed or clear as declared. */
function isOutdated({ type, version, schema, seals }: DeclaredEvent): boolean {
  const file = new URL(sampleName(type, version), FOLDER);
  if (!existsSync(file)) return false;
  const { event, opened } = JSON.parse(readFileSync(file, 'utf8')) as Sample;
  const sealed = new Set(Object.values(seals).flat());
  const fields = Object.entries(event.data as JsonObject).filter(([, value]) => value !== null);
  return !Compile(schema).Check(opened) || fields.some(([name, value]) => isSealed(value) !== sealed.has(name));
}

/** Files that are missing or of no declared type, and events such as `Hired@1` that differ from their sample. */
export function findSamples(types: readonly DeclaredEvent[]) {
  const names = types.flatMap(({ type, versions }) => versions.map((_shape, index) => sampleName(type, index + 1)));
  return {
    missing: names.filter(name => !existsSync(new URL(name, FOLDER))),
    outdated: types.filter(isOutdated).map(({ type, version }) => `${type}@${version}`),
    undeclared: readdirSync(FOLDER).filter(name => !names.includes(name)),
  };
}

/** First event of this type in the story, sealed. */
export async function sampleOf(type: string): Promise<Sample> {
  const { revision, position, ...event } = storyEvents().find(event => event.type === type)!;
  const stored = { ...(await sampleCodec().seal(event)), revision, position };
  return { event: stored, digest: eventDigest(stored), opened: event.data as Json };
}
