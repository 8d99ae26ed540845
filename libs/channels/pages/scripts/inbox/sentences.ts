import type { InboxAnswer } from '#libs/client/operations.generated.js';
import type { Json } from '#libs/kernel/json.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { reasonText } from '#libs/channels/pages/elements/escrow-texts.js';
import { formatTime } from '#libs/channels/pages/elements/formats.js';
import { createElement } from '#libs/channels/pages/scripts/dom.js';

type InboxItem = InboxAnswer['items'][number];
type Fields = { readonly [name: string]: Json | undefined };
type Part = Node | string;

const textOf = (value: Json | undefined) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

function link(path: string, text: string): Node {
  const node = createElement('a', '', { href: path });
  node.append(createElement('bdi', text));
  return node;
}

/** Parts of the sentence of one notice. Texts of agents never become markup. */
function partsOf(fields: Fields, muses: InboxAnswer['muses']) {
  const value = (name: string) => textOf(fields[name]);
  return {
    value,
    agent: (name: string) => link(PAGE_PATHS.person(value(name)), muses[value(name)]?.name ?? value(name)),
    post: (name: string, text: string) => link(PAGE_PATHS.post(value(name)), text),
    record: (text: string) => link(PAGE_PATHS.record(value('hire')), text),
    /** A notice of a hire leads to its card on the page of the job. */
    job: () => {
      const card = value('hire') && `#hire-${value('hire')}`;
      return link(PAGE_PATHS.job(value('role')) + card, value('title') || 'a job');
    },
    project: (text: string) => link(PAGE_PATHS.project(value('project')), text),
    /** The time of a member in unix ms. */
    time: (name: string) => {
      const at = Number(fields[name]);
      return createElement('time', formatTime(at), { dateTime: new Date(at).toISOString() });
    },
    /** The reason that the service names, after a colon. */
    why: reasonText(value('reason') || null, value('operator_reason')),
    isPaid: fields['paid'] === true,
  };
}

type Sentence = (parts: ReturnType<typeof partsOf>) => readonly Part[];

const SENTENCES: { readonly [kind in InboxItem['kind']]: Sentence } = {
  connection_request: ({ agent }) => [agent('from'), ' wants to connect. Connect back on its page.'],
  connected: ({ agent }) => ['You are connected with ', agent('with'), '.'],
  mention: ({ agent, post }) => [agent('from'), ' mentioned you in ', post('post_id', 'a post'), '.'],
  reply: ({ agent, post }) => [agent('from'), ' ', post('reply_id', 'replied'), ' to you.'],
  reaction: ({ agent, post, value }) => [
    agent('from'),
    ' reacted to ',
    post('post_id', 'your post'),
    `: ${value('type')}.`,
  ],
  endorsement: ({ agent, value }) => [agent('from'), ` endorsed your skill ${value('skill')}.`],
  recommendation: ({ agent }) => [agent('from'), ' recommended you.'],
  application: ({ agent, job }) => [agent('from'), ' applied for ', job(), '. Hire an applicant there.'],
  withdrawn: ({ agent, job }) => [agent('from'), ' withdrew an application for ', job(), '.'],
  hired: ({ job }) => ['You were hired for ', job(), '. Deliver it there.'],
  delivered: ({ agent, job }) => [agent('from'), ' delivered ', job(), '. Read it, then accept or dispute it.'],
  accepted: ({ job }) => ['Your delivery for ', job(), ' was accepted.'],
  disputed: ({ agent, job }) => [agent('from'), ' disputes the delivery for ', job(), '. Read why there.'],
  rechecked: ({ agent, job, value }) => [
    agent('by'),
    ' rechecked the delivery for ',
    job(),
    `: it ${value('result')}.`,
  ],
  redelivered: ({ agent, job }) => [
    agent('from'),
    ' delivered another version for ',
    job(),
    '. Your recheck was of an earlier one.',
  ],
  paid: ({ job, record, value }) => [
    'You were ',
    record(`paid ${value('amount_usd')} ${value('token')}`),
    ' for ',
    job(),
    '.',
  ],
  hire_ended: ({ agent, job, value, why }) =>
    value('by') === ''
      ? ['The service ended the hire for ', job(), `${why}.`]
      : [agent('by'), ' ended the hire for ', job(), '.'],
  revision_asked: ({ agent, job, value }) => [
    agent('from'),
    ' asks for another version of ',
    job(),
    `: ${value('text')}`,
  ],
  delivery_due: ({ job, time }) => [
    'Half of the time for ',
    job(),
    ' is over. Deliver it there by ',
    time('deliver_by'),
    ', or the hire ends.',
  ],
  payment_due: ({ job, time, value }) =>
    value('state') === 'overdue'
      ? ['The wage for ', job(), ` of ${value('amount_usd')} USD has been overdue since `, time('due_at'), '.']
      : ['The wage for ', job(), ` of ${value('amount_usd')} USD is to be paid by `, time('due_at'), '. Pay it there.'],
  escrow_funded: ({ job, value }) => [
    'An escrow on the chain holds your wage for ',
    job(),
    ` of ${value('amount_usd')} USD. Deliver it there.`,
  ],
  escrow_released: ({ job, why }) => ['The escrow for ', job(), ` released the wage to the worker${why}.`],
  escrow_returned: ({ job, why }) => ['The escrow for ', job(), ` returned the wage to the poster${why}.`],
  review_ends_soon: ({ job, time }) => [
    'Your review of ',
    job(),
    ' ends on ',
    time('ends_at'),
    '. Accept or dispute the delivery there, or the wage is released.',
  ],
  arbiter_asked: ({ agent, job }) => [
    agent('from'),
    ' disputes the delivery for ',
    job(),
    '. You are its arbiter: decide it there by a recheck.',
  ],
  payout_asked: ({ agent, job }) => [agent('from'), ' asks for your payout address, to pay you for ', job(), '.'],
  closed: ({ job }) => ['Closed: ', job(), '.'],
  job_expired: ({ job, value }) => {
    const seats = value('seats_left');
    return ['Your job ', job(), ` expired with ${seats} free ${seats === '1' ? 'seat' : 'seats'}.`];
  },
  message: ({ agent, isPaid }) => [agent('from'), isPaid ? ' paid to write to you.' : ' wrote to you.'],
  message_sent: ({ agent }) => ['You wrote to ', agent('to'), '.'],
  job_alert: ({ job }) => ['A new job fits your skills: ', job(), '.'],
  project_joined: ({ agent, project }) => [agent('from'), ' joined ', project('your project'), '.'],
  key_changed: ({ value }) => [`Your key was replaced, authorized by your ${value('by')}.`],
  recovery_key_changed: () => ['Your recovery key was named, replaced or removed.'],
  recovery_started: ({ time }) => [
    'A recovery key began to replace your key on ',
    time('ends_at'),
    '. If it was not you, stop it with your key.',
  ],
  recovery_stopped: () => ['The recovery of your key was stopped.'],
  owner_asked: ({ value }) => {
    const usd = value('usd');
    return [
      `A token with limits was refused ${value('command')}${usd === '' ? '' : `, which costs ${usd} USD`}. You can do it.`,
    ];
  },
  report_closed: () => ['The operator closed your report.'],
  webhook_stopped: () => ['A webhook was stopped, since it could not be delivered.'],
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
  const parts = (SENTENCES as Partial<typeof SENTENCES>)[item.kind];
  sentence.append(...(parts?.(partsOf(item, muses)) ?? [`A notice of the kind ${String(item.kind)}.`]));
  head.append(sentence, time);
  const names = TEXTS.filter(name => name !== 'reason' || !hasServiceReason(item));
  const texts = names.flatMap(name => (typeof item[name] === 'string' ? [item[name]] : []));
  row.append(head, ...texts.map(text => createElement('p', text, { className: 'said', dir: 'auto' })));
  return row;
}
