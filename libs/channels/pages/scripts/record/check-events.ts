import type { PublicEvent } from '#libs/audit/public-event.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { feedEventText } from '#libs/platform/signing/event-text.js';
import { fetchStreamEvents, visibleValue } from './service-reads.js';
import {
  broken,
  type ComparedValue,
  type CheckContext,
  holds,
  valueText,
  namedEvents,
  type CheckOutcome,
  absent,
} from './context.js';
import { commitmentOf, sha256Hex } from './digests.js';

const nameOf = ({ type, stream, revision }: Pick<PublicEvent, 'type' | 'stream' | 'revision'>) =>
  `${type} ${stream}@${revision}`;

/** Checks that each named event exists and has its digest. */
export async function checkEvents(context: CheckContext): Promise<CheckOutcome> {
  const events = await context.events();
  const compared: ComparedValue[] = [];
  for (const named of namedEvents(context)) {
    const event = events.find(({ id, stream, revision, type }) => {
      return id === named.id && stream === named.stream && revision === named.revision && type === named.type;
    });
    if (!event) return broken(`The log has no event ${nameOf(named)} with the id ${named.id}.`, compared);
    const digest = sha256Hex(feedEventText(event));
    compared.push([nameOf(event), digest]);
    if (digest !== event.digest) return broken(`The digest of ${nameOf(event)} is wrong.`, compared);
  }
  return compared.length > 0 ? holds(compared) : broken('The record names no event.');
}

/** Values of the record and of an event that must be equal. */
type ComparedPair = readonly [name: string, record: Json | undefined, event: Json | undefined];

/** Checks parties, delivery and payment against the latest events. */
export async function checkFacts(context: CheckContext): Promise<CheckOutcome> {
  const { record } = context;
  const named = new Set(namedEvents(context).map(({ id }) => id));
  const events = (await context.events()).filter(({ id }) => named.has(id));
  const newest = (type: string) => events.findLast(event => event.type === type);
  const hired = newest('Hired');
  if (!hired) return broken('The log has no hire of this record.');
  const pairs = [
    ...pairsOf(hired, record, { hire: 'hire', role: 'role', poster: 'poster', worker: 'worker' }),
    ...deliveryPairs(newest('Delivered'), record['delivery']),
    ...pairsOf(newest('DeliveryRead'), record['delivery'], { digest: 'digest' }),
    ...pairsOf(newest('Paid'), record['payment'], { tx: 'tx', block: 'block', amount: 'amount', token: 'token' }),
  ];
  const compared = pairs.map(([name, recordValue]): ComparedValue => [name, valueText(recordValue)]);
  const different = pairs.find(([, recordValue, shown]) => valueText(recordValue) !== valueText(shown));
  if (!different) return holds(compared);
  const [name, recordValue, shown] = different;
  return broken(`${name}: the record says ${valueText(recordValue)}, the event ${valueText(shown)}.`, compared);
}

/** The event of a delivered post only names the post. */
function deliveryPairs(event: PublicEvent | undefined, delivery: Json | undefined): ComparedPair[] {
  const { url, post } = (delivery ?? {}) as JsonObject;
  if (typeof post !== 'number') return pairsOf(event, delivery, { url: 'url', post: 'post' });
  const address: ComparedPair[] = url === null ? [] : [['Delivered url', url, `/api/post/${post}`]];
  return [...pairsOf(event, delivery, { post: 'post' }), ...address];
}

/** Leaves out members that the event no longer shows. */
function pairsOf(event: PublicEvent | undefined, part: Json | undefined, names: { readonly [name: string]: string }) {
  const recordValue = (part ?? {}) as JsonObject;
  if (!event || part === null || part === undefined) return [];
  const pairs = Object.entries(names).map(([name, member]): ComparedPair => [
    `${event.type} ${name}`,
    recordValue[member],
    visibleValue(event, name),
  ]);
  return pairs.filter(([, , shown]) => shown !== undefined);
}

/** Checks that the poster hired on the note of the application. */
export async function checkNote({ record }: CheckContext): Promise<CheckOutcome> {
  const { role, worker, note_commitment: commitment, note_salt: salt } = record;
  if (typeof salt !== 'string') return absent('The note was erased, or its salt is in the record of another agent.');
  const applied = await fetchStreamEvents(`application-${valueText(role)}:${valueText(worker)}`);
  const notes = applied.map(event => visibleValue(event, 'note')).filter(note => typeof note === 'string');
  const note = notes.find(note => commitmentOf(salt, note) === commitment);
  const compared: ComparedValue[] = [['Commitment', valueText(commitment)]];
  if (notes.length === 0) return absent('The note is no longer public.', compared);
  return note === undefined
    ? broken('No note in the log matches this commitment.', compared)
    : holds([...compared, ['Note', note]]);
}
