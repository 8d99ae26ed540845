import { clearMembers } from '#libs/audit/opened-values.js';
import type { PublicEvent } from '#libs/audit/public-event.js';
import { rebuildSignedText } from '#libs/audit/signed-text.js';
import { type Authorization, type SignatureAuthorization, signedRequestOf } from '#libs/kernel/event.js';
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
  unchecked,
} from './context.js';
import { commitmentOf, sha256Hex, verifyText } from './cryptography.js';

const placeOf = ({ type, stream, revision }: Pick<PublicEvent, 'type' | 'stream' | 'revision'>) =>
  `${type} ${stream}@${revision}`;

/** Checks that each named event exists and has its digest. */
export async function checkEvents(context: CheckContext): Promise<CheckOutcome> {
  const events = await context.events();
  const compared: ComparedValue[] = [];
  for (const named of namedEvents(context)) {
    const event = events.find(({ id, stream, revision, type }) => {
      return id === named.id && stream === named.stream && revision === named.revision && type === named.type;
    });
    if (!event) return broken(`The log has no event ${placeOf(named)} with the id ${named.id}.`, compared);
    const digest = sha256Hex(feedEventText(event));
    compared.push([placeOf(event), digest]);
    if (digest !== event.digest) return broken(`The digest of ${placeOf(event)} is wrong.`, compared);
  }
  return compared.length > 0 ? holds(compared) : broken('The record names no event.');
}

/** Values of the record and of an event that must be equal. */
type ComparedPair = readonly [name: string, record: Json | undefined, event: Json | undefined];

/** Checks parties, delivery and payment against the latest events. */
export async function checkFacts(context: CheckContext): Promise<CheckOutcome> {
  const { record } = context;
  const events = await recordEvents(context);
  const newest = (type: string) => events.findLast(event => event.type === type);
  const hired = newest('Hired');
  if (!hired) return broken('The log has no hire of this record.');
  const pairs = [
    ...pairsOf(hired, record, { hire: 'hire', role: 'role', poster: 'poster', worker: 'worker' }),
    ...deliveryPairs(newest('Delivered'), record['delivery']),
    ...pairsOf(newest('DeliveryRead'), record['delivery'], {
      digest: 'digest',
      bytes: 'bytes',
      media_type: 'media_type',
    }),
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
  if (typeof salt !== 'string') return unchecked('The note was erased, or its salt is in the record of another agent.');
  const applied = await fetchStreamEvents(`application-${valueText(role)}:${valueText(worker)}`);
  const notes = applied.map(event => visibleValue(event, 'note')).filter(note => typeof note === 'string');
  const note = notes.find(note => commitmentOf(salt, note) === commitment);
  const compared: ComparedValue[] = [['Commitment', valueText(commitment)]];
  if (notes.length === 0) return unchecked('The note is no longer public.', compared);
  return note === undefined
    ? broken('No note in the log matches this commitment.', compared)
    : holds([...compared, ['Note', note]]);
}

/** Maximum of different agents in one record. */
const ACTORS_MAX = 50;

const authorizationOf = ({ authorization }: PublicEvent) =>
  clearMembers(authorization as JsonObject) as unknown as Authorization;

async function recordEvents(context: CheckContext): Promise<readonly PublicEvent[]> {
  const named = new Set(namedEvents(context).map(({ id }) => id));
  return (await context.events()).filter(({ id }) => named.has(id));
}

const actionOf = ({ type, actor }: PublicEvent) => `${type} by ${actor}`;

/** Authorizations other than a signature. */
const UNSIGNED_BASIS = {
  bearer: 'authorized by a token, on the word of the service',
  service: 'written by the service without a signature',
  operator: 'written by the operator without a signature',
};

/** Checks that each signed action has a signature over exactly its request. */
export async function checkActions(context: CheckContext): Promise<CheckOutcome> {
  const compared: ComparedValue[] = [];
  const counts = { signed: 0, byToken: 0, hidden: 0 };
  for (const event of await recordEvents(context)) {
    const authorization = authorizationOf(event);
    if (authorization.mode !== 'signature') {
      compared.push([actionOf(event), UNSIGNED_BASIS[authorization.mode]]);
      if (authorization.mode === 'bearer') counts.byToken += 1;
      continue;
    }
    const fault = await signatureFault(event, authorization, context.tag);
    if (fault === 'hidden') {
      counts.hidden += 1;
      compared.push([actionOf(event), 'the signed message is private or erased']);
    } else if (fault !== null) return broken(`${actionOf(event)}: ${fault}`, compared);
    else {
      counts.signed += 1;
      compared.push([actionOf(event), `signed with ${authorization.public_key}`]);
    }
  }
  const { signed, byToken, hidden } = counts;
  if (byToken > 0) return unchecked(`Actions by token are on the word of the service: ${byToken} here.`, compared);
  if (signed > 0) return holds(compared);
  return hidden > 0
    ? unchecked('Each signed message of this hire is private or erased.', compared)
    : absent('No action of this hire is of an agent.', compared);
}

/** Returns null for a valid signature. */
async function signatureFault(
  event: PublicEvent,
  authorization: SignatureAuthorization,
  tag: string,
): Promise<string | null> {
  const text = rebuildSignedText(event, authorization, tag);
  const request = signedRequestOf(authorization);
  if (text === null || request === null) return 'hidden';
  const { salt, signature } = request;
  if (commitmentOf(salt, text) !== authorization.commitment) return 'the event does not match the signed message.';
  const { isGood } = await verifyText(authorization.public_key, text, signature);
  return isGood ? null : `the signature is not valid for the key ${authorization.public_key}.`;
}

/** Checks that each key was bound to its muse when it signed. */
export async function checkKeys(context: CheckContext): Promise<CheckOutcome> {
  const events = (await recordEvents(context)).filter(event => authorizationOf(event).mode === 'signature');
  const actors = [...new Set(events.map(({ actor }) => actor))];
  if (actors.length > ACTORS_MAX) return unchecked(`More than ${ACTORS_MAX} agents have acted here.`);
  const bound = new Map(
    await Promise.all(
      actors.map(async actor => [actor, await fetchStreamEvents(`muse-${actor}`, KEY_EVENTS)] as const),
    ),
  );
  const compared: ComparedValue[] = [];
  for (const event of events) {
    const { public_key: key } = authorizationOf(event) as SignatureAuthorization;
    const valid = bound.get(event.actor)!.findLast(({ position }) => position < event.position);
    const boundKey = valid && visibleValue(valid, 'public_key');
    compared.push([actionOf(event), valueText(boundKey)]);
    if (boundKey !== key)
      return broken(`${actionOf(event)} is signed with ${key}; the key was ${valueText(boundKey)} then.`, compared);
  }
  return events.length > 0 ? holds(compared) : absent('No action of this hire was signed.', compared);
}

const KEY_EVENTS = ['Registered', 'KeyBound'];
