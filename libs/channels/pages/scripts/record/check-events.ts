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
  untold,
} from './context.js';
import { commitmentOf, sha256Hex } from './digests.js';

const nameOf = ({ type, stream, revision }: Pick<PublicEvent, 'type' | 'stream' | 'revision'>) =>
  `${type} ${stream}@${revision}`;

/** Whether each event that the record names is there, and has the digest that it shows. */
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
    if (digest !== event.digest) return broken(`The digest of ${nameOf(event)} is not the one it shows.`, compared);
  }
  return compared.length > 0 ? holds(compared) : broken('The record names no event.');
}

/** What is said of one thing twice, by the record and by an event. */
type ComparedPair = readonly [name: string, record: Json | undefined, event: Json | undefined];

/** Whether parties, delivery and payment are those of the newest events that say so. */
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
  const compared = pairs.map(([name, said]): ComparedValue => [name, valueText(said)]);
  const different = pairs.find(([, said, shown]) => valueText(said) !== valueText(shown));
  if (!different) return holds(compared);
  const [name, said, shown] = different;
  return broken(`Of ${name} the record says ${valueText(said)} and the event ${valueText(shown)}.`, compared);
}

/** The event of a delivered post names the post alone. */
function deliveryPairs(event: PublicEvent | undefined, delivery: Json | undefined): ComparedPair[] {
  const { url, post } = (delivery ?? {}) as JsonObject;
  if (typeof post !== 'number') return pairsOf(event, delivery, { url: 'url', post: 'post' });
  const address: ComparedPair[] = url === null ? [] : [['Delivered url', url, `/api/post/${post}`]];
  return [...pairsOf(event, delivery, { post: 'post' }), ...address];
}

/** The members of a part of the record beside those of the event. What the event hides by now is left out. */
function pairsOf(event: PublicEvent | undefined, part: Json | undefined, names: { readonly [name: string]: string }) {
  const said = (part ?? {}) as JsonObject;
  if (!event || part === null || part === undefined) return [];
  const pairs = Object.entries(names).map(([name, member]): ComparedPair => [
    `${event.type} ${name}`,
    said[member],
    visibleValue(event, name),
  ]);
  return pairs.filter(([, , shown]) => shown !== undefined);
}

/** Whether the note that the worker applied with is the one that the poster hired on. */
export async function checkNote({ record }: CheckContext): Promise<CheckOutcome> {
  const { role, worker, note_commitment: commitment, note_salt: salt } = record;
  if (typeof salt !== 'string') return untold('The note was erased, or somebody else’s record holds its salt.');
  const applied = await fetchStreamEvents(`application-${valueText(role)}:${valueText(worker)}`);
  const notes = applied.map(event => visibleValue(event, 'note')).filter(note => typeof note === 'string');
  const note = notes.find(note => commitmentOf(salt, note) === commitment);
  const compared: ComparedValue[] = [['Commitment', valueText(commitment)]];
  if (notes.length === 0) return untold('The note is not shown any more.', compared);
  return note === undefined
    ? broken('No note of the log is the one of this commitment.', compared)
    : holds([...compared, ['Note', note]]);
}
