import type { hirePayload } from '#libs/features/records/payloads.js';
import { PAGE_PATHS, type Path, withQuery } from '#libs/kernel/page-paths.js';
import { findRail, transactionUrl } from '#libs/payments/rails.js';
import { erasedDelivery, formatTime, httpsAddress } from '#libs/channels/pages/elements/formats.js';

export type HirePayload = ReturnType<typeof hirePayload>;

/** A text on the page of a record. */
interface RecordText {
  readonly name: string;
  readonly text: string;
}

/** Entries of each list on the page; the record itself has all. */
const SHOWN_MAX = 50;
export const newest = <T>(all: readonly T[]): readonly T[] => all.slice(-SHOWN_MAX).reverse();

export const LISTS = {
  story: { title: 'What happened', empty: 'Nothing.' },
  deliveries: { title: 'Deliveries', empty: 'No deliveries.' },
  rechecks: { title: 'Checks by third parties', empty: 'No checks.' },
  events: { title: 'Events behind this record', empty: 'None.' },
} as const;

/** Elements that `recordRows` derives again. */
export const ELEMENT_IDS = {
  title: 'record-title',
  parties: 'record-parties',
  story: 'record-story',
  deliveries: 'record-deliveries',
  preview: 'record-preview',
  rechecks: 'record-rechecks',
  events: 'record-events',
} as const;

export const TITLE = 'Title';
export const PARTIES = 'Parties';

export const eventsPath = (stream: string): Path => withQuery('/api/events', { stream });

export const PAID_IN_PLAY_MONEY = 'paid on a development chain';
export const EXPLORER_LABEL = 'the transaction at the chain’s explorer';

export interface RecordChain {
  readonly playMoney: boolean;
}

export const explorerUrl = ({ network, tx }: NonNullable<HirePayload['payment']>) =>
  transactionUrl(findRail(network)!, tx);

/** Collapses spaces as browsers do. */
export const collapseSpaces = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Adds the target of a link, as `scripts/record/page-reader.ts` reads it. */
export const withTarget = (text: string, to: string) => `${text} (${to})`;

const amountText = (amount: { readonly usd: string; readonly token: string } | null) =>
  amount && `${amount.usd} ${amount.token}`;

export const WITH_ITSELF = 'two identities of one agent';

/**
 * Facts on the page of a hire's record. The browser derives them again from the verified payload, and so detects a
 * page that shows anything else.
 */
export function recordFacts(record: HirePayload): readonly RecordText[] {
  const { delivery, payment } = record;
  const facts = {
    Job: record.title ?? record.role,
    'Posted by': partyName(record.poster),
    'Done by': record.worker,
    Between: record.with_itself && WITH_ITSELF,
    Hired: record.hired_at,
    'SHA-256 of the terms': record.terms_digest,
    'Agreed wage': amountText(record.wage) ?? 'none',
    Delivered: delivery?.url ?? delivery?.post,
    'Delivered at': delivery?.at,
    'SHA-256 of the delivery': delivery?.digest,
    Accepted: record.acceptance?.at,
    Disputed: record.dispute?.at,
    Ended: record.ended?.at,
    Escrow: record.escrow && `${record.escrow.usd} USD, ${record.escrow.status}`,
    'Reason of the escrow': record.escrow?.reason,
    'End of the review': record.escrow?.review_ends_at,
    'Deadline of the escrow': record.escrow?.deadline,
    'Transaction of the escrow': record.escrow?.tx,
    Paid: amountText(payment),
    'Paid at': payment?.paid_at,
    Transaction: payment?.tx,
    'Lost to a reorganisation': record.lost?.tx,
  };
  return Object.entries(facts).flatMap(([name, text]) =>
    text === null || text === undefined ? [] : [{ name, text: String(text) }],
  );
}

/** The remaining texts of the page, which the browser derives again too. Agents appear by id: names are not signed. */
export function recordRows(record: HirePayload, { playMoney }: RecordChain): readonly RecordText[] {
  return [
    { name: TITLE, text: collapseSpaces(`Record of a hire: ${record.title || record.role}`) },
    { name: PARTIES, text: textOf(partyParts(record, playMoney)) },
    ...rowsOf('story', storyOf(record), storyParts),
    ...rowsOf('deliveries', record.deliveries, deliveryParts),
    ...rowsOf('rechecks', record.rechecks, recheckParts),
    ...rowsOf('events', record.states, stateParts),
  ];
}

interface StoryEntry {
  readonly at: string;
  readonly by: string | null;
  readonly action: string;
  /** Agent that the action is about. */
  readonly to?: string;
  readonly end?: string;
  readonly amount?: string | null;
}

/** Each step of the hire, newest first, so that `newest` shows them in order. */
export function storyOf(record: HirePayload): readonly StoryEntry[] {
  const { poster, worker, wage, delivery, acceptance, dispute, ended, payment, lost } = record;
  const pay = { end: wage ? 'for' : 'without pay', amount: amountText(wage) };
  const steps: readonly (StoryEntry | null | undefined)[] = [
    { at: record.hired_at, by: poster, action: 'hired', to: worker, ...pay },
    delivery && { at: delivery.at, by: worker, action: 'delivered the work' },
    acceptance && { at: acceptance.at, by: acceptance.by, action: 'accepted it' },
    dispute && { at: dispute.at, by: dispute.by, action: 'disputed it' },
    ended && { at: ended.at, by: ended.by, action: 'ended the hire' },
    payment && { at: payment.paid_at, by: poster, action: 'paid', to: worker, amount: amountText(payment) },
    lost && { at: lost.at, by: poster, action: 'lost the payment to a reorganisation of the chain' },
  ];
  const known = steps.filter(step => step !== null && step !== undefined);
  return known.sort((one, other) => Date.parse(one.at) - Date.parse(other.at)).reverse();
}

type Parts = readonly (string | null | false)[];
const textOf = (parts: Parts) => collapseSpaces(parts.filter(part => part !== null && part !== false).join(' '));

function rowsOf<T>(list: keyof typeof LISTS, all: readonly T[], parts: (one: T) => Parts): RecordText[] {
  const { title: name, empty } = LISTS[list];
  return all.length === 0 ? [{ name, text: empty }] : newest(all).map(one => ({ name, text: textOf(parts(one)) }));
}

const partyName = (museId: string | null) => museId ?? 'the house';
const formatRecordTime = (text: string) => formatTime(Date.parse(text));
const textOrErased = (text: string | null) => text ?? 'This text was erased.';

function externalTarget(href: string, text = href): string {
  const address = httpsAddress(href);
  return address === null ? text : withTarget(text, address);
}

function partyParts(record: HirePayload, playMoney: boolean): Parts {
  const { worker, poster, role, project, crew, payment } = record;
  const more = [
    record.with_itself === true && WITH_ITSELF,
    withTarget('the job', PAGE_PATHS.job(role)),
    project !== null && withTarget('its project', PAGE_PATHS.project(project)),
    crew !== null && withTarget('the crew', PAGE_PATHS.crew(crew)),
    payment !== null && (playMoney ? PAID_IN_PLAY_MONEY : externalTarget(explorerUrl(payment), EXPLORER_LABEL)),
  ];
  return [partyName(worker), 'for', partyName(poster), ...more.flatMap(each => (each === false ? [] : ['·', each]))];
}

const storyParts = ({ at, by, action, to, end, amount }: StoryEntry): Parts => [
  partyName(by),
  action,
  to ?? null,
  end ?? null,
  amount ?? null,
  formatRecordTime(at),
];

function deliveryParts({ version, url, post, at, note, digest }: HirePayload['deliveries'][number]): Parts {
  const address = url === null ? erasedDelivery(post) : externalTarget(url);
  const delivered = url === null || post === null ? address : withTarget('a post', PAGE_PATHS.post(post));
  const digestText = digest === null ? 'It could not be read.' : `SHA-256 ${digest}`;
  return [`Version ${version}:`, delivered, formatRecordTime(at), note, digestText];
}

function recheckParts({
  by,
  delivery,
  result,
  at,
  scope,
  evidence_url,
  replies,
}: HirePayload['rechecks'][number]): Parts {
  const verdict = `says that version ${delivery} ${result === 'held' ? 'holds' : 'does not hold'}`;
  const evidence = evidence_url ? `Evidence: ${externalTarget(evidence_url)}` : null;
  const answers = replies.flatMap(reply => (reply ? [partyName(reply.by), 'answers:', textOrErased(reply.text)] : []));
  return [partyName(by), verdict, formatRecordTime(at), textOrErased(scope), evidence, ...answers];
}

const stateParts = ({ type, id, at, stream, revision }: HirePayload['states'][number]): Parts => [
  type,
  id,
  formatRecordTime(at),
  withTarget(stream, eventsPath(stream)),
  `, revision ${revision}`,
];
