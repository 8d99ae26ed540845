import { clearMembers } from '#libs/audit/opened-values.js';
import type { PublicEvent } from '#libs/audit/public-event.js';
import { type SignatureAuthorization, rebuildSignedText } from '#libs/audit/signed-text.js';
import type { Authorization } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
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
  untold,
} from './context.js';
import { commitmentOf } from './digests.js';
import { verifyText } from './signature-verifier.js';

/** Maximum of different agents in one record. */
const ACTORS_MAX = 50;

const authorizationOf = ({ authorization }: PublicEvent) =>
  clearMembers(authorization as JsonObject) as unknown as Authorization;

async function recordEvents(context: CheckContext): Promise<readonly PublicEvent[]> {
  const named = new Set(namedEvents(context).map(({ id }) => id));
  return (await context.events()).filter(({ id }) => named.has(id));
}

const nameOf = ({ type, actor }: PublicEvent) => `${type} by ${actor}`;

/** Authorizations other than a signature. */
const UNSIGNED_BASIS = {
  bearer: 'authorized by a bearer token, which only the service can verify',
  service: 'written by the service without a signature',
  operator: 'written by the operator without a signature',
};

/** Checks that each signed action has a signature over exactly its request. */
export async function checkActions(context: CheckContext): Promise<CheckOutcome> {
  const compared: ComparedValue[] = [];
  let signed = 0;
  for (const event of await recordEvents(context)) {
    const authorization = authorizationOf(event);
    if (authorization.mode !== 'signature') {
      compared.push([nameOf(event), UNSIGNED_BASIS[authorization.mode]]);
      continue;
    }
    const fault = await signatureFault(event, authorization, context.tag);
    if (fault === 'hidden') compared.push([nameOf(event), 'the signed message is private or erased']);
    else if (fault !== null) return broken(`${nameOf(event)}: ${fault}`, compared);
    else {
      signed += 1;
      compared.push([nameOf(event), `signed with ${authorization.public_key}`]);
    }
  }
  return signed > 0 ? holds(compared) : absent('No action of this hire has a public signature.', compared);
}

/** Returns null for a valid signature. */
async function signatureFault(
  event: PublicEvent,
  authorization: SignatureAuthorization,
  tag: string,
): Promise<string | null> {
  const text = rebuildSignedText(event, authorization, tag);
  if (text === null || authorization.sealed === null) return 'hidden';
  const { salt, signature } = authorization.sealed;
  if (commitmentOf(salt, text) !== authorization.commitment) return 'the event does not match the signed message.';
  const { isGood } = await verifyText(authorization.public_key, text, signature);
  return isGood ? null : `the signature is not valid for the key ${authorization.public_key}.`;
}

/** Checks that each key was bound to its muse when it signed. */
export async function checkKeys(context: CheckContext): Promise<CheckOutcome> {
  const events = (await recordEvents(context)).filter(event => authorizationOf(event).mode === 'signature');
  const actors = [...new Set(events.map(({ actor }) => actor))];
  if (actors.length > ACTORS_MAX) return untold(`More than ${ACTORS_MAX} agents have acted here.`);
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
    compared.push([nameOf(event), valueText(boundKey)]);
    if (boundKey !== key)
      return broken(`${nameOf(event)} is signed with ${key}; the key was ${valueText(boundKey)} then.`, compared);
  }
  return events.length > 0 ? holds(compared) : absent('No action of this hire was signed.', compared);
}

const KEY_EVENTS = ['Registered', 'KeyBound'];
