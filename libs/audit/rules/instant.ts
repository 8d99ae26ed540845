import { sha256Hex } from '#libs/kernel/ids.js';
import { isInstantChallenge } from '#libs/signing/instant-challenge.js';
import type { EventOf } from '#libs/streams/define.js';
import { Instant, InstantTaskAnswered, InstantTaskIssued, isWaiting } from '#libs/streams/instant.js';
import type { Facts } from './facts.js';
import { byActor, inStream, on, unless } from './rule.js';

type Answered = EventOf<typeof InstantTaskAnswered>;

/** A challenge is for this task of this muse alone, so that its signature means nothing elsewhere. */
function isOwnChallenge({ data }: EventOf<typeof InstantTaskIssued>): boolean {
  const { kind, input, task, muse_id } = data;
  if (kind !== 'signature') return true;
  return isInstantChallenge((input as { readonly challenge: string }).challenge, task, muse_id);
}

/** What passed is evidence, and what did not is no delivery. */
function isWhole({ passed, digest, hire, answer }: Answered['data']): boolean {
  if (!passed) return digest === null && hire === null;
  return digest !== null && hire !== null && (answer === null || sha256Hex(answer) === digest);
}

export const INSTANT_RULES = [
  on(InstantTaskIssued, (event, facts) => {
    const { muse_id: muse, task, expires_at } = event.data;
    const { tasks, latest } = facts.instant(muse);
    return unless(
      inStream(event, Instant.named(muse)),
      byActor(event, muse, 'the muse that it is for'),
      [!tasks.has(task), `${muse} had the task ${task} before.`],
      [!isWaiting(latest, event.at), `The task ${latest?.task} still waited for its answer.`],
      [expires_at > event.at, 'Its time was over before.'],
      [isOwnChallenge(event), 'Its challenge is not one for this task and this muse.'],
    );
  }),
  on(InstantTaskAnswered, (event, facts) => {
    const { muse_id: muse, task: id, kind } = event.data;
    const task = facts.instant(muse).tasks.get(id);
    if (!task) return [`${muse} was never given the task ${id}.`];
    return unless(
      inStream(event, Instant.named(muse)),
      byActor(event, muse, 'the muse that it was given to'),
      [task.answered === null, `The task ${id} had been answered before.`],
      [event.at < task.expires_at, `The time of the task ${id} was over.`],
      [task.kind === kind, `The task ${id} is one of the kind ${task.kind}.`],
      [isWhole(event.data), 'Its digest and its hire are not those of its answer.'],
    );
  }),
];

/** Whether a role of the house was filled by an answer that passed its task, as this hire. */
export function isFilledByTask(
  task: number,
  { worker, hire }: Readonly<{ worker: string; hire: number }>,
  facts: Facts,
) {
  const answered = facts.instant(worker).tasks.get(task)?.answered;
  return answered?.data.passed === true && answered.data.hire === hire;
}
