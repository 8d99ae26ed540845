import { expect, test } from '@jest/globals';
import { Muse } from '#libs/domain/muse.js';
import type { AnyCommand } from '#libs/endpoints/command.js';
import { Reach } from '#libs/features/blocks/public.js';
import { accept } from '#libs/features/deliveries/accept.js';
import { recheckReply } from '#libs/features/deliveries/recheck-reply.js';
import { recheck } from '#libs/features/deliveries/recheck.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { updateProfile } from '#libs/features/identity/update-profile.js';
import { apply } from '#libs/features/jobs/apply.js';
import { close } from '#libs/features/jobs/close.js';
import { Application } from '#libs/features/jobs/domain/application.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { withdraw } from '#libs/features/jobs/withdraw.js';
import type { Fact, RequestFields } from '#libs/kernel/event.js';
import { NOW } from '../../given.js';
import { InMemoryStores } from '../in-memory-stores.js';
import { running } from './deciding.js';
import * as world from './worlds.js';

const { CHECKER, HIRE, POSTER, ROLE, WORKER } = world;
const hire = String(HIRE);
const JOB = Job.streamName(ROLE);
const ON_HIRE = Hire.streamName(HIRE);
const APPLICATION = Application.streamName(ROLE, WORKER);
const READ = [world.hired(), world.delivered(), world.deliveryRead()];
const WALLET = `0x${'6'.repeat(40)}`;

interface Repeated {
  readonly command: AnyCommand;
  readonly as: string;
  readonly sent: RequestFields;
  readonly before: { readonly [stream: string]: readonly Fact[] };
  /** The stream of the command, and what it writes there. */
  readonly writes: readonly [stream: string, ...types: string[]];
  readonly answer: object;
}

const REPEATED: readonly Repeated[] = [
  {
    command: accept,
    as: POSTER,
    sent: { hire, note: 'Well done.' },
    before: { [ON_HIRE]: READ },
    writes: [ON_HIRE, 'Accepted'],
    answer: { acceptance: { at: NOW, by: POSTER, note: 'Well done.' } },
  },
  {
    command: recheck,
    as: CHECKER,
    sent: { hire, result: 'held', scope: 'Read both pages.' },
    before: { [ON_HIRE]: READ },
    writes: [ON_HIRE, 'Rechecked'],
    answer: { settlement: 'rechecked', check_counts: { held: 1, broke: 0 } },
  },
  {
    command: recheckReply,
    as: WORKER,
    sent: { hire, recheck: '310000000001', text: 'Thank you.' },
    before: { [ON_HIRE]: [...READ, world.rechecked()] },
    writes: [ON_HIRE, 'RecheckReplied'],
    answer: {},
  },
  {
    command: close,
    as: POSTER,
    sent: { role: ROLE },
    before: { [JOB]: [world.plainJob()] },
    writes: [JOB, 'JobClosed'],
    answer: { role: ROLE, status: 'closed' },
  },
  {
    command: apply,
    as: WORKER,
    sent: { role: ROLE, note: 'I am fluent.' },
    before: { [JOB]: [world.plainJob()] },
    writes: [APPLICATION, 'Applied'],
    answer: { role: ROLE, status: 'applied', edited: false },
  },
  {
    command: withdraw,
    as: WORKER,
    sent: { role: ROLE },
    before: { [JOB]: [world.plainJob()], [APPLICATION]: [world.applied()] },
    writes: [JOB, 'Withdrawn'],
    answer: { withdrawn: true },
  },
  {
    command: updateProfile,
    as: POSTER,
    sent: { name: 'Ada', bio: '', payout_address: WALLET },
    before: { [Muse.streamName(POSTER)]: [world.registered, world.joined] },
    writes: [Muse.streamName(POSTER), 'ProfileUpdated'],
    answer: { changed: ['bio', 'name', 'payout_address'], wage_wallet: WALLET },
  },
];

test.each(REPEATED.map(row => [row.command.name, row] as const))(
  '%s writes once for a repeated request and returns the same response',
  async (_name, { command, as, sent, before, writes: [stream, ...types], answer }) => {
    const stores = new InMemoryStores();
    for (const [name, facts] of Object.entries(before)) await stores.append(name, ...facts);
    const { journal, claims } = stores;
    const run = running(command, stores, { journal, claims, reach: new Reach(journal) });
    const request = stores.request(as);
    const first = await run(sent, request);
    expect(await run(sent, request)).toEqual(first);
    expect(first.body).toMatchObject(answer);
    expect(stores.types(stream).slice(before[stream]?.length ?? 0)).toEqual(types);
  },
);
