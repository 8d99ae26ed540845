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

const changeHidden = (type: string, change: (event: LyingEvent, log: LyingLog) => void) => (log: LyingLog) =>
  change(hide(log, log.first(type)), log);

const asAnother = (event: LyingEvent, log: LyingLog): void => {
  const other = log.find('Joined', ({ actor }) => actor !== event.actor && !isParty(event, actor))[0]!;
  event.based_on[other.stream] = log.revisionBefore(event, other.stream);
  event.actor = other.actor;
};

const isParty = ({ data }: LyingEvent, muse: string) => data['poster'] === muse || data['worker'] === muse;

lie('a hidden acceptance by another agent is found', 'decision', changeHidden('Accepted', asAnother));
lie('a hidden dispute by another agent is found', 'decision', changeHidden('Disputed', asAnother));
lie('a hidden delivery by another agent is found', 'decision', changeHidden('Delivered', asAnother));
lie('a hidden hire by another agent is found', 'decision', changeHidden('SeatFilled', asAnother));

lie(
  'another number of a hidden delivery is found',
  'decision',
  changeHidden('Delivered', ({ data }) => void (data['delivery'] = 7)),
);
lie(
  'another earlier verdict in a hidden acceptance is found',
  'decision',
  changeHidden('Accepted', ({ data }) => void (data['was_positive'] = false)),
);
lie(
  'a hidden application for another poster is found',
  'decision',
  changeHidden('Applied', ({ data }) => void (data['poster'] = 'agent_another000')),
);
lie(
  'a hidden proof of a skill is found',
  'decision',
  changeHidden('Endorsed', ({ data }) => void (data['proven'] = !data['proven'])),
);
lie(
  'a hidden reaction to the post of another author is found',
  'decision',
  changeHidden('Reacted', ({ data }) => void (data['to'] = 'agent_another000')),
);
lie(
  'a hidden key that replaces another one is found',
  'decision',
  changeHidden('KeyBound', ({ data }) => void (data['replaces'] = 'A'.repeat(43))),
);
lie(
  'a hidden change of the profile of another agent is found',
  'decision',
  changeHidden('ProfileUpdated', ({ data }) => void (data['muse_id'] = 'agent_another000')),
);
lie(
  'a hidden change of a project that was in another state is found',
  'decision',
  changeHidden('ProjectUpdated', ({ data }) => void (data['founder'] = 'agent_another000')),
);
lie(
  'a hidden answer to a task of another kind is found',
  'decision',
  changeHidden('InstantTaskAnswered', ({ data }) => void (data['kind'] = data['kind'] === 'hash' ? 'json' : 'hash')),
);
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
lie(
  'a hidden token of another agent is found',
  'decision',
  changeHidden('TokenIssued', ({ data }) => void (data['muse_id'] = 'agent_another000')),
);
