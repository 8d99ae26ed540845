import type { JsonObject } from '#libs/kernel/json.js';
import type { CheckName } from '#libs/channels/pages/record/checks.js';
import { fetchNamedEvents, fetchIssuerKeys } from './record/service-reads.js';
import { type CheckContext, namedEvents, type CheckOutcome } from './record/context.js';
import { showCheck } from './record/check-lines.js';
import { checkActions, checkEvents, checkFacts, checkKeys, checkNote } from './record/check-events.js';
import { checkCheckpoint, checkInclusion } from './record/check-log.js';
import { checkIssuer, checkShown, checkSignature } from './record/check-record.js';
import { readPage } from './record/page-reader.js';
import { checkDelivery, checkPayment } from './record/check-delivery.js';
import { element, isPlayMoney, messageTag, textAt } from './dom.js';

const CHECK_FUNCTIONS: {
  readonly [name in CheckName]: (context: CheckContext) => CheckOutcome | Promise<CheckOutcome>;
} = {
  shown: checkShown,
  signature: checkSignature,
  issuer: checkIssuer,
  events: checkEvents,
  facts: checkFacts,
  actions: checkActions,
  keys: checkKeys,
  note: checkNote,
  checkpoint: checkCheckpoint,
  place: checkInclusion,
  delivery: checkDelivery,
  payment: checkPayment,
};

function memoize<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => (answer ??= ask());
}

function buildContext(): CheckContext {
  const payload = textAt('payload');
  const record = JSON.parse(payload) as JsonObject;
  return {
    shown: readPage(),
    payload,
    record,
    signature: textAt('signature'),
    kid: textAt('kid'),
    tag: messageTag(),
    playMoney: isPlayMoney(),
    live: element('checks').dataset['live'] ?? '',
    issuerKeys: memoize(fetchIssuerKeys),
    events: memoize(() => fetchNamedEvents(namedEvents({ record }))),
  };
}

const context = buildContext();
for (const [name, check] of Object.entries(CHECK_FUNCTIONS)) void showCheck(name as CheckName, () => check(context));
