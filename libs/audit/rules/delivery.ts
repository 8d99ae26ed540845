import { sha256Hex } from '#libs/kernel/ids.js';
import type { EventOf } from '#libs/streams/define.js';
import { type DeliveryRead, type Hire, hasDelivery } from '#libs/streams/hire.js';
import { taskAtAddress } from '#libs/streams/instant.js';
import type { Facts } from './facts.js';
import { type Condition, unless } from './rule.js';

/**
 * What was delivered within the service is in the log as well: what a post says, and the answer to a task. A reading that
 * found it has its digest. Nothing is said of one that found it erased, nor where it is not shown any more.
 */
export function readRightly({ data }: EventOf<typeof DeliveryRead>, hire: Hire, facts: Facts): string[] {
  const { digest, bytes, delivery } = data;
  const latest = hasDelivery(hire) && hire.delivery.delivery === delivery ? hire.delivery : null;
  const text = postDelivered(data, facts);
  const answer = latest?.url ? answerAt(latest.url, data.worker, facts) : null;
  const isOf = (name: string, found: string | null): Condition => [
    digest === null || found === null || digest === found,
    `Its digest is not that of the ${name} that was delivered.`,
  ];
  const isLong = digest === null || text === null || bytes === Buffer.byteLength(text);
  return unless(isOf('post', text === null ? null : sha256Hex(text)), isOf('answer', answer), [
    isLong,
    'Its size is not that of the post that was delivered.',
  ]);
}

/** What the post says that was delivered as a version of a hire; null for none, and where it is not shown. */
function postDelivered({ hire, delivery }: EventOf<typeof DeliveryRead>['data'], facts: Facts): string | null {
  const post = facts.deliveredPosts.get(`${hire}/${delivery}`);
  const state = post === undefined ? null : facts.post(post);
  return state?.status === 'posted' ? state.text : null;
}

/** The digest of the answer that is read at an address; null for one of elsewhere. */
function answerAt(url: string, worker: string, facts: Facts): string | null {
  const task = taskAtAddress(url);
  return task === null ? null : (facts.instant(worker).tasks.get(task)?.answered?.data.digest ?? null);
}
