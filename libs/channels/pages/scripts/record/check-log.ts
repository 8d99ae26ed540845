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
  skipped,
  unchecked,
} from './context.js';
import { append, rootOf, verifyText } from './cryptography.js';

/** Longer logs are only read on request, and beyond the maximum not at all. */
const EVENTS_UNASKED_MAX = 10_000;
const EVENTS_MAX = 1_000_000;
/** Events have a few kilobytes, so a longer line is an error. */
const LINE_CHARACTERS_MAX = 4 * 1024 * 1024;
const LONG_LOG = 'the place of the events, because the log is long';
const NO_CHECKPOINT = 'The service has no signed checkpoint.';

async function newestCheckpoint() {
  const note = parseNote(await (await fetchAnswer('/api/events/checkpoint')).text());
  const checkpoint = note && parseCheckpoint(note.text);
  return note && checkpoint ? { ...checkpoint, note } : null;
}

export async function checkCheckpoint({ issuerKeys }: CheckContext): Promise<CheckOutcome> {
  const checkpoint = await newestCheckpoint();
  if (!checkpoint) return broken(NO_CHECKPOINT);
  const { note, origin, size, root } = checkpoint;
  const compared: ComparedValue[] = [
    ['Log', origin],
    ['Events', String(size)],
    ['Root of their tree', root],
  ];
  const key = (await issuerKeys()).find(({ public_key }) => note.isSignedBy(public_key));
  if (!key) return broken('No key of the issuer document has signed it.', compared);
  const { isGood, by } = await verifyText(key.public_key, note.text, note.signature);
  const signed: ComparedValue[] = [...compared, ['Signed with', key.public_key], ['Verified by', by]];
  return isGood ? holds(signed) : broken('Its signature is not valid for the key that it names.', signed);
}

/** Rebuilds the tree of the latest checkpoint from all events, and checks that it contains the record's events. */
export async function checkInclusion(context: CheckContext): Promise<CheckOutcome> {
  const checkpoint = await newestCheckpoint();
  if (!checkpoint) return broken(NO_CHECKPOINT);
  const { size, root } = checkpoint;
  const check = () => checkInclusionIn({ size, root }, context);
  if (size <= EVENTS_UNASKED_MAX) return check();
  if (size > EVENTS_MAX) return skipped(LONG_LOG, `The log has ${size} events, too many for a page. Use the auditor.`);
  const label = `Read all ${size} events and check`;
  const because = `The log has ${size} events, so they are only read on request.`;
  return { ...skipped(LONG_LOG, because), more: { label, run: check } };
}

async function checkInclusionIn(
  head: { readonly size: number; readonly root: string },
  context: CheckContext,
): Promise<CheckOutcome> {
  const missing = new Map(namedEvents(context).map(({ id, type }) => [id, type]));
  const digests = new Map((await context.events()).map(({ id, digest }) => [id, digest]));
  const compared: ComparedValue[] = [];
  let edge: MerkleEdge = EMPTY_EDGE;
  for await (const event of firstEvents(head.size)) {
    if (missing.delete(event.id)) {
      compared.push([`${event.type} is leaf`, String(edge.size)]);
      if (digests.get(event.id) !== event.digest)
        return broken(`The log shows two different versions of ${event.type}.`);
    }
    edge = append(edge, event.digest);
  }
  const root = rootOf(edge);
  compared.push(
    ['Events read', String(edge.size)],
    ['Root of their tree', root],
    ['Root of the checkpoint', head.root],
  );
  if (root !== head.root) return broken('The events of the log do not match the checkpoint.', compared);
  if (missing.size === 0) return holds(compared);
  return unchecked(
    `${[...missing.values()].join(', ')} is newer than the checkpoint. Reload this page in 10 s.`,
    compared,
  );
}

async function* firstEvents(count: number): AsyncGenerator<PublicEvent> {
  const abort = new AbortController();
  const response = await fetch('/api/events', {
    headers: { accept: 'application/x-ndjson' },
    signal: abort.signal,
    cache: 'no-store',
  });
  if (!response.ok || !response.body) throw new Error(`The event feed answered ${response.status}.`);
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

/** Uses a reader, since some browsers cannot iterate over a body. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + decoder.decode(part.value, { stream: true })).split('\n');
    rest = lines.pop()!;
    if (rest.length > LINE_CHARACTERS_MAX) throw new Error('A line of the feed is too long.');
    yield* lines.filter(line => line !== '');
  }
  if (rest !== '') yield rest;
}
