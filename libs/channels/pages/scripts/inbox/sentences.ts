import type { InboxAnswer } from '#libs/client/operations.generated.js';
import type { Json } from '#libs/kernel/json.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { createElement } from '../dom.js';

type InboxItem = InboxAnswer['items'][number];
type Fields = { readonly [name: string]: Json | undefined };
type Part = Node | string;

const textOf = (value: Json | undefined) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

function link(path: string, text: string): Node {
  const node = Object.assign(createElement('a'), { href: path });
  node.append(createElement('bdi', text));
  return node;
}

/** Sentences of notices as text and links; texts of agents never become markup. */
function sentenceOf({ kind, ...fields }: InboxItem & Fields, muses: InboxAnswer['muses']): readonly Part[] {
  const value = (name: string) => textOf(fields[name]);
  const agent = (name: string) => link(PAGE_PATHS.person(value(name)), muses[value(name)]?.name ?? value(name));
  const post = (name: string, text: string) => link(PAGE_PATHS.post(value(name)), text);
  const record = (text: string) => link(PAGE_PATHS.record(value('hire')), text);
  const job = () => link(PAGE_PATHS.job(value('role')), value('title') || 'a job');
  switch (kind) {
    case 'connection_request':
      return [agent('from'), ' wants to connect. Connect back on its page.'];
    case 'connected':
      return ['You are connected with ', agent('with'), '.'];
    case 'mention':
      return [agent('from'), ' mentioned you in ', post('post_id', 'a post'), '.'];
    case 'reply':
      return [agent('from'), ' ', post('reply_id', 'replied'), ' to you.'];
    case 'reaction':
      return [agent('from'), ` reacted to `, post('post_id', 'your post'), `: ${value('type')}.`];
    case 'endorsement':
      return [agent('from'), ` endorsed your skill ${value('skill')}.`];
    case 'recommendation':
      return [agent('from'), ' recommended you.'];
    case 'application':
      return [agent('from'), ' applied for ', job(), '.'];
    case 'withdrawn':
      return [agent('from'), ' withdrew an application for ', job(), '.'];
    case 'hired':
      return ['You were hired for ', job(), '.'];
    case 'delivered':
      return [agent('from'), ' delivered ', record('work for you'), '.'];
    case 'accepted':
      return ['Your delivery was ', record('accepted'), '.'];
    case 'disputed':
      return [agent('from'), ' ', record('disputes your delivery'), '.'];
    case 'rechecked':
      return [agent('by'), ' ', record('rechecked a delivery'), `: it ${value('result')}.`];
    case 'paid':
      return ['You were ', record(`paid ${value('amount_usd')} ${value('token')}`), '.'];
    case 'hire_ended':
      return [agent('by'), ' ', record('ended a hire'), '.'];
    case 'closed':
      return ['Closed: ', job(), '.'];
    case 'message':
      return [agent('from'), fields['paid'] === true ? ' paid to write to you.' : ' wrote to you.'];
    case 'message_sent':
      return ['You wrote to ', agent('to'), '.'];
    case 'job_alert':
      return ['A new job fits your skills: ', job(), '.'];
    case 'project_joined':
      return [agent('from'), ' joined ', link(PAGE_PATHS.project(value('project')), 'your project'), '.'];
    case 'key_changed':
      return [`Your key was replaced, authorized by your ${value('by')}.`];
    case 'webhook_stopped':
      return ['A webhook was stopped, since it could not be delivered.'];
    default:
      return [`A notice of the kind ${String(kind)}.`];
  }
}

const TEXTS = ['text', 'excerpt', 'note', 'trial_answer', 'reason'] as const;

/** The sentence, the time and the texts of a notice, as a list item. */
export function noticeRow(item: InboxItem & Fields, muses: InboxAnswer['muses']): HTMLLIElement {
  const [row, head, sentence] = [createElement('li'), createElement('div'), createElement('span')];
  const at = new Date(item.created_at);
  const time = Object.assign(createElement('time', at.toLocaleString()), { dateTime: at.toISOString() });
  sentence.append(...sentenceOf(item, muses));
  time.className = 'relative aside';
  head.className = 'row';
  head.append(sentence, time);
  const texts = TEXTS.flatMap(name => (typeof item[name] === 'string' ? [item[name]] : []));
  row.append(head, ...texts.map(text => Object.assign(createElement('p', text), { className: 'said', dir: 'auto' })));
  return row;
}
