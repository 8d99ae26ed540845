import type { JsonObject } from '#libs/kernel/json.js';
import type { CheckName } from '../record/checks.js';
import { eventsOfStreams, issuerKeys } from './record/asking.js';
import { type Context, namedEvents, type Outcome } from './record/context.js';
import { show } from './record/lines-of-checks.js';
import { checkActions, checkKeys } from './record/of-the-actions.js';
import { checkEvents, checkNote, checkSaid } from './record/of-the-events.js';
import { checkCheckpoint, checkPlace } from './record/of-the-log.js';
import { checkIssuer, checkShown, checkSignature } from './record/of-the-record.js';
import { shownOnPage } from './record/reading.js';
import { checkDelivery, checkPayment } from './record/of-the-world.js';
import { element, said, textAt } from './said.js';

const CHECKED: { readonly [name in CheckName]: (context: Context) => Outcome | Promise<Outcome> } = {
  shown: checkShown,
  signature: checkSignature,
  issuer: checkIssuer,
  events: checkEvents,
  said: checkSaid,
  actions: checkActions,
  keys: checkKeys,
  note: checkNote,
  checkpoint: checkCheckpoint,
  place: checkPlace,
  delivery: checkDelivery,
  payment: checkPayment,
};

/** Asked once, for all who want to know. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => (asked ??= ask());
}

function contextOf(): Context {
  const payload = textAt('payload');
  const record = JSON.parse(payload) as JsonObject;
  return {
    shown: shownOnPage(),
    payload,
    record,
    signature: textAt('signature'),
    kid: textAt('kid'),
    tag: said<string>('message-tag') ?? '',
    playMoney: said<boolean>('play-money') ?? false,
    live: element('checks').dataset['live'] ?? '',
    issuerKeys: once(issuerKeys),
    events: once(() => eventsOfStreams(namedEvents({ record }))),
  };
}

const context = contextOf();
for (const [name, check] of Object.entries(CHECKED)) void show(name as CheckName, () => check(context));
