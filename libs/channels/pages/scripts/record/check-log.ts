import type { PublicEvent } from '#libs/audit/public-event.js';
import { type MerkleEdge, EMPTY_EDGE } from '#libs/platform/signing/merkle-edge.js';
import { parseNote, parseCheckpoint } from '#libs/platform/signing/signed-note.js';
import { fetchAnswer } from './service-reads.js';
import {
  broken,
  type ComparedValue,
  type CheckContext,
  holds,
  namedEvents,
  type CheckOutcome,
  untold,
} from './context.js';
import { append, rootOf } from './digests.js';
import { readLines } from './line-reader.js';
import { verifyText } from './signature-verifier.js';

/** A log that is longer is read whole only where the reader asks for it; one that is longer still, not in a page. */
const EVENTS_UNASKED_MAX = 10_000;
const EVENTS_MAX = 1_000_000;
const NO_CHECKPOINT = 'The service answers no signed checkpoint.';

async function newestCheckpoint() {
  const note = parseNote(await (await fetchAnswer('/api/events/checkpoint')).text());
  const checkpoint = note && parseCheckpoint(note.text);
  return note && checkpoint ? { ...checkpoint, note } : null;
}

/** Whether the checkpoint is signed by a key of the service's. */
export async function checkCheckpoint({ issuerKeys }: CheckContext): Promise<CheckOutcome> {
  const checkpoint = await newestCheckpoint();
  if (!checkpoint) return broken(NO_CHECKPOINT);
  const { note, origin, size, root } = checkpoint;
  const compared: ComparedValue[] = [
    ['Log', origin],
    ['Events', String(size)],
    ['Root of their tree', root],
  ];
  const key = (await issuerKeys()).find(({ public_key: known }) => note.isSignedBy(known));
  if (!key) return broken('It is signed by no key of the issuer document.', compared);
  const { isGood, by } = await verifyText(key.public_key, note.text, note.signature);
  const signed: ComparedValue[] = [...compared, ['Signed with', key.public_key], ['Verified by', by]];
  return isGood ? holds(signed) : broken('Its signature is not by the key that it names.', signed);
}

/** Whether the record's events are leaves of the tree that the newest checkpoint is of: made again from every event. */
export async function checkInclusion(context: CheckContext): Promise<CheckOutcome> {
  const checkpoint = await newestCheckpoint();
  if (!checkpoint) return broken(NO_CHECKPOINT);
  const { size, root } = checkpoint;
  const check = () => checkInclusionIn({ size, root }, context);
  if (size <= EVENTS_UNASKED_MAX) return check();
  if (size > EVENTS_MAX)
    return untold(`The log has ${size} events, more than a page reads. The auditor reads them all.`);
  const label = `Read all ${size} events and check`;
  return { ...untold(`The log has ${size} events, which are read where you ask for it.`), more: { label, run: check } };
}

async function checkInclusionIn(
  head: { readonly size: number; readonly root: string },
  context: CheckContext,
): Promise<CheckOutcome> {
  const wanted = new Map(namedEvents(context).map(({ id, type }) => [id, type]));
  const digests = new Map((await context.events()).map(({ id, digest }) => [id, digest]));
  const compared: ComparedValue[] = [];
  let edge: MerkleEdge = EMPTY_EDGE;
  for await (const event of firstEvents(head.size)) {
    if (wanted.delete(event.id)) {
      compared.push([`${event.type} is leaf`, String(edge.size)]);
      if (digests.get(event.id) !== event.digest) return broken(`The log shows ${event.type} twice, and differently.`);
    }
    edge = append(edge, event.digest);
  }
  const root = rootOf(edge);
  compared.push(
    ['Events read', String(edge.size)],
    ['Root of their tree', root],
    ['Root of the checkpoint', head.root],
  );
  if (root !== head.root) return broken('The events of the log are not those that the checkpoint is of.', compared);
  if (wanted.size === 0) return holds(compared);
  return untold(
    `${[...wanted.values()].join(', ')} is younger than the checkpoint; read this page again in 10 s.`,
    compared,
  );
}

/** The log from its beginning, as far as a number of events. */
async function* firstEvents(count: number): AsyncGenerator<PublicEvent> {
  const abort = new AbortController();
  const response = await fetch('/api/events', {
    headers: { accept: 'application/x-ndjson' },
    signal: abort.signal,
    cache: 'no-store',
  });
  if (!response.ok || !response.body) throw new Error(`The event feed answers ${response.status}.`);
  let read = 0;
  for await (const line of readLines(response.body)) {
    const event = JSON.parse(line) as PublicEvent & { readonly head?: string };
    if (event.head !== undefined) break;
    yield event;
    read += 1;
    if (read === count) break;
  }
  abort.abort();
}
