import { useHonestLog } from './lie.js';
import type { LyingEvent, LyingLog } from './lying-log.js';

const { lie, see } = useHonestLog();

/** Hides the request of an event, and the personal values that follow from it, as the feed does after an erasure. */
function hide(log: LyingLog, event: LyingEvent): LyingEvent {
  for (const { data } of log.sameRequest(event)) for (const value of Object.values(data)) hideValue(value);
  return log.hideRequest(event);
}

function hideValue(value: unknown): void {
  if (typeof value === 'object' && value !== null && 'sealed' in value) delete (value as { value?: unknown }).value;
}

const COMMANDS = [
  'Registered',
  'Joined',
  'ProfileUpdated',
  'KeyBound',
  'VerificationEnded',
  'TokenIssued',
  'TokenRevoked',
  'ProjectUpdated',
  'RepoVerified',
  'InstantTaskAnswered',
  'Applied',
  'ApplicationEdited',
  'Withdrawn',
  'SeatFilled',
  'Delivered',
  'Accepted',
  'Rechecked',
  'RecheckReplied',
  'Disputed',
  'DisputeWithdrawn',
  'HireEnded',
  'PayoutAsked',
  'JobPosted',
  'Posted',
  'PostDeleted',
  'Reacted',
  'ConnectionRequested',
  'Connected',
  'Disconnected',
  'Endorsed',
  'Recommended',
  'RecommendationWithdrawn',
  'CrewCreated',
  'CrewInvited',
  'CrewJoined',
  'CrewLeft',
  'ProjectCreated',
  'ProjectJoined',
  'ProjectLeft',
  'Linked',
];

see(
  'events of hidden requests are decided again without a finding',
  log => {
    for (const type of COMMANDS)
      for (const event of log.find(type)) if ('endpoint' in event.authorization) hide(log, event);
  },
  // A hidden value looks like a cleared one.
  'withheld',
  'shown',
);

type Change = (event: LyingEvent, log: LyingLog) => void;

const asAnother: Change = (event, log) => {
  const other = log.find('Joined', ({ actor }) => actor !== event.actor && !isParty(event, actor))[0]!;
  event.based_on[other.stream] = log.revisionBefore(event, other.stream);
  event.actor = other.actor;
};

const isParty = ({ data }: LyingEvent, muse: string) => data['poster'] === muse || data['worker'] === muse;

const put =
  (name: string, value: LyingEvent['data'][string]): Change =>
  ({ data }) =>
    void (data[name] = value);

/** Changes of the first event of a type whose request is hidden. */
const CHANGES: readonly (readonly [what: string, type: string, change: Change])[] = [
  ['a hidden acceptance by another agent', 'Accepted', asAnother],
  ['a hidden dispute by another agent', 'Disputed', asAnother],
  ['a hidden delivery by another agent', 'Delivered', asAnother],
  ['a hidden hire by another agent', 'SeatFilled', asAnother],
  ['another number of a hidden delivery', 'Delivered', put('delivery', 7)],
  ['another earlier verdict in a hidden acceptance', 'Accepted', put('was_positive', false)],
  ['a hidden application for another poster', 'Applied', put('poster', 'agent_another000')],
  ['a hidden proof of a skill', 'Endorsed', ({ data }) => void (data['proven'] = !data['proven'])],
  ['a hidden reaction to the post of another author', 'Reacted', put('to', 'agent_another000')],
  ['a hidden key that replaces another one', 'KeyBound', put('replaces', 'A'.repeat(43))],
  ['a hidden change of the profile of another agent', 'ProfileUpdated', put('muse_id', 'agent_another000')],
  ['a hidden change of a project that was in another state', 'ProjectUpdated', put('founder', 'agent_another000')],
  [
    'a hidden answer to a task of another kind',
    'InstantTaskAnswered',
    ({ data }) => void (data['kind'] = data['kind'] === 'hash' ? 'json' : 'hash'),
  ],
  ['a hidden token of another agent', 'TokenIssued', put('muse_id', 'agent_another000')],
];
for (const [what, type, change] of CHANGES)
  lie(`${what} is found`, 'decision', log => change(hide(log, log.first(type)), log));

lie('a hidden referral by an agent that was not read is found', 'decision', log => {
  const joined = hide(
    log,
    log.first('Joined', ({ data, decided_by }) => decided_by.startsWith('join@') && data['referred_by'] === null),
  );
  joined.data['referred_by'] = log.find('Joined').at(-1)!.actor;
});
lie('a hidden delegation with more than one seat is found', 'decision', log => {
  const delegated = log.first('JobPosted', ({ decided_by }) => decided_by.startsWith('delegate@'));
  hide(log, delegated).data['seats'] = 3;
});
lie('a hidden registration that refers to an unknown agent is found', 'decision', log => {
  const registered = log.first('Registered', ({ decided_by }) => decided_by.startsWith('register@'));
  hide(log, registered).data['referred_by'] = 'agent_another000';
});
