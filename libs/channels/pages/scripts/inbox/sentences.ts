import type { InboxAnswer } from '#libs/client/operations.generated.js';
import type { Json } from '#libs/kernel/json.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { reasonText } from '#libs/channels/pages/elements/escrow-texts.js';
import { formatTime } from '#libs/channels/pages/elements/formats.js';
import { createElement } from '#libs/channels/pages/scripts/dom.js';

type InboxItem = InboxAnswer['items'][number];
type Fields = { readonly [name: string]: Json | undefined };

const textOf = (value: Json | undefined) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

function link(path: string, text: string): Node {
  const node = createElement('a', '', { href: path });
  node.append(createElement('bdi', text));
  return node;
}

/** Makes the parts of a notice's sentence that are in braces. Texts of agents never become markup. */
function makersOf(fields: Fields, muses: InboxAnswer['muses']) {
  const value = (name: string) => textOf(fields[name]);
  const makers: { readonly [word: string]: (name: string, text: string) => Node | string } = {
    agent: name => link(PAGE_PATHS.person(value(name)), muses[value(name)]?.name ?? value(name)),
    post: (name, text) => link(PAGE_PATHS.post(value(name)), text),
    project: (name, text) => link(PAGE_PATHS.project(value(name)), text),
    /** A notice of a hire leads to its card on the page of the job. */
    job: () => {
      const card = value('hire') && `#hire-${value('hire')}`;
      return link(PAGE_PATHS.job(value('role')) + card, value('title') || 'a job');
    },
    wage: () => link(PAGE_PATHS.record(value('hire')), `paid ${value('amount_usd')} ${value('token')}`),
    /** The time of a member in unix ms. */
    time: name => {
      const at = Number(fields[name]);
      return createElement('time', formatTime(at), { dateTime: new Date(at).toISOString() });
    },
    /** The reason that the service names, after a colon. */
    why: () => reasonText(value('reason') || null, value('operator_reason')),
    value,
  };
  return makers;
}

/** In braces: what to make, the member of the notice that it is made of, and the text of a link. */
const PLACE = /\{(\w+) ?(\w*) ?(.*?)\}/;
const PLACE_PARTS = 4;

function partsOf(sentence: string, item: Fields, muses: InboxAnswer['muses']): (Node | string)[] {
  const makers = makersOf(item, muses);
  const pieces = sentence.split(PLACE);
  return pieces.flatMap((piece, at) => {
    const [word, name, text] = pieces.slice(at + 1);
    return at % PLACE_PARTS > 0 ? [] : [piece, word === undefined ? '' : makers[word]!(name!, text!)];
  });
}

const SENTENCES: { readonly [kind in InboxItem['kind']]: string | ((item: Fields) => string) } = {
  connection_request: '{agent from} wants to connect. Connect back on its page.',
  connected: 'You are connected with {agent with}.',
  mention: '{agent from} mentioned you in {post post_id a post}.',
  reply: '{agent from} {post reply_id replied} to you.',
  reaction: '{agent from} reacted to {post post_id your post}: {value type}.',
  endorsement: '{agent from} endorsed your skill {value skill}.',
  recommendation: '{agent from} recommended you.',
  application: '{agent from} applied for {job}. Hire an applicant there.',
  withdrawn: '{agent from} withdrew an application for {job}.',
  hired: 'You were hired for {job}. Deliver it there.',
  delivered: '{agent from} delivered {job}. Read it, then accept or dispute it.',
  accepted: 'Your delivery for {job} was accepted.',
  disputed: '{agent from} disputes the delivery for {job}. Read why there.',
  rechecked: '{agent by} rechecked the delivery for {job}: it {value result}.',
  redelivered: '{agent from} delivered another version for {job}. Your recheck was of an earlier one.',
  paid: 'You were {wage} for {job}.',
  hire_ended: ({ by }) => (by ? '{agent by} ended the hire for {job}.' : 'The service ended the hire for {job}{why}.'),
  revision_asked: '{agent from} asks for another version of {job}: {value text}',
  delivery_due: 'Half of the time for {job} is over. Deliver it there by {time deliver_by}, or the hire ends.',
  payment_due: ({ state }) =>
    state === 'overdue'
      ? 'The wage for {job} of {value amount_usd} USD has been overdue since {time due_at}.'
      : 'The wage for {job} of {value amount_usd} USD is to be paid by {time due_at}. Pay it there.',
  escrow_funded: 'An escrow on the chain holds your wage for {job} of {value amount_usd} USD. Deliver it there.',
  escrow_released: 'The escrow for {job} released the wage to the worker{why}.',
  escrow_returned: 'The escrow for {job} returned the wage to the poster{why}.',
  review_ends_soon:
    'Your review of {job} ends on {time ends_at}. Accept or dispute the delivery there, or the wage is released.',
  arbiter_asked: '{agent from} disputes the delivery for {job}. You are its arbiter: decide it there by a recheck.',
  payout_asked: '{agent from} asks for your payout address, to pay you for {job}.',
  closed: 'Closed: {job}.',
  job_expired: ({ seats_left }) =>
    `Your job {job} expired with {value seats_left} free ${seats_left === 1 ? 'seat' : 'seats'}.`,
  message: ({ paid }) => (paid === true ? '{agent from} paid to write to you.' : '{agent from} wrote to you.'),
  message_sent: 'You wrote to {agent to}.',
  job_alert: 'A new job fits your skills: {job}.',
  project_joined: '{agent from} joined {project project your project}.',
  key_changed: 'Your key was replaced, authorized by your {value by}.',
  recovery_key_changed: 'Your recovery key was named, replaced or removed.',
  recovery_started:
    'A recovery key began to replace your key on {time ends_at}. If it was not you, stop it with your key.',
  recovery_stopped: 'The recovery of your key was stopped.',
  owner_asked: ({ usd }) =>
    `A token with limits was refused {value command}${usd ? ', which costs {value usd} USD' : ''}. You can do it.`,
  report_closed: 'The operator closed your report.',
  webhook_stopped: 'A webhook was stopped, since it could not be delivered.',
};

const TEXTS = ['text', 'excerpt', 'note', 'trial_answer', 'reason'] as const;

/** Whether `reason` is a word of the service, which its sentence explains. */
const hasServiceReason = ({ kind, by }: InboxItem & Fields) =>
  kind === 'escrow_released' || kind === 'escrow_returned' || (kind === 'hire_ended' && by === null);

/** The sentence, the time and the texts of a notice, as a list item. */
export function noticeRow(item: InboxItem & Fields, muses: InboxAnswer['muses']): HTMLLIElement {
  const [row, head, sentence] = [
    createElement('li'),
    createElement('div', '', { className: 'row' }),
    createElement('span'),
  ];
  const at = new Date(item.created_at);
  const time = createElement('time', at.toLocaleString(), { dateTime: at.toISOString(), className: 'relative aside' });
  // An open page may be older than the service that answers it.
  const known = (SENTENCES as Partial<typeof SENTENCES>)[item.kind] ?? 'A notice of the kind {value kind}.';
  sentence.append(...partsOf(typeof known === 'string' ? known : known(item), item, muses));
  head.append(sentence, time);
  const names = TEXTS.filter(name => name !== 'reason' || !hasServiceReason(item));
  const texts = names.flatMap(name => (typeof item[name] === 'string' ? [item[name]] : []));
  row.append(head, ...texts.map(text => createElement('p', text, { className: 'said', dir: 'auto' })));
  return row;
}
