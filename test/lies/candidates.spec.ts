import { MINUTE_MS } from '#libs/kernel/clock.js';
import { useHonestLog } from './lie.js';
import type { LyingEvent, LyingLog } from './lying-log.js';

const { lie, see } = useHonestLog();

interface Candidate {
  muse_id: string;
  proven: string[];
  listed: string[];
  open_to_work: boolean;
}

const candidatesOf = ({ data }: LyingEvent) => data['candidates'] as unknown as Candidate[];
const isProving = ({ proven, listed }: Candidate) => proven.length > 0 && listed.length === 0;

const isOffered = (event: LyingEvent) => candidatesOf(event).some(isProving);

/** Changes the candidate that lists no skill, one that lists all of them, or such a one that erased them. */
function change(log: LyingLog, which: 'proving' | 'listing' | 'erased', claim: (candidate: Candidate) => void): void {
  const candidates = candidatesOf(log.first('JobOffered', isOffered));
  const isShown = ({ muse_id }: Candidate) =>
    log.find('ProfileUpdated', ({ actor, data }) => actor === muse_id && isVisible(data['skills'])).length > 0;
  const isListing = (candidate: Candidate) =>
    candidate.listed.length === 2 && isShown(candidate) === (which === 'listing');
  claim(candidates.find(which === 'proving' ? isProving : isListing)!);
}

const isVisible = (value: unknown) => Object.hasOwn(Object(value) as object, 'value');

const LATER_MS = 5 * MINUTE_MS;

/** Makes an offer later than the events before it, so that its documents could not miss one. */
function postpone(log: LyingLog): void {
  const offered = log.first('JobOffered', isOffered);
  const posted = log.first('JobPosted', ({ id }) => id === offered.cause);
  log.cutAfter(offered);
  for (const event of [posted, offered]) event.at += LATER_MS;
  posted.data['expires_at'] = Number(posted.data['expires_at']) + LATER_MS;
}

lie('a skill that a candidate did not prove is found', 'decision', log =>
  change(log, 'listing', ({ proven }) => void proven.push('ocr')),
);

lie('a proven skill for which the job does not ask is found', 'decision', log =>
  change(log, 'proving', ({ proven }) => void proven.push('german')),
);

lie('a skill that a candidate does not list is found', 'decision', log =>
  change(log, 'proving', ({ listed }) => void listed.push('ocr')),
);

lie('a skill that a candidate proves twice is found', 'decision', log =>
  change(log, 'proving', ({ proven }) => void proven.push('french')),
);

lie('a candidate that is not open to work is found', 'decision', log =>
  change(log, 'proving', candidate => void (candidate.open_to_work = !candidate.open_to_work)),
);

lie('a proven skill that an offer leaves out is found', 'decision', log => {
  postpone(log);
  change(log, 'proving', candidate => Object.assign(candidate, { proven: [], listed: ['french'] }));
});

lie('a listed skill that an offer leaves out is found', 'decision', log => {
  postpone(log);
  change(log, 'listing', ({ listed }) => void listed.pop());
});

see('an offer may miss a skill of the last two minutes', log =>
  change(log, 'listing', ({ listed }) => void listed.pop()),
);

see('an offer is right also some minutes after the last event before it', postpone, 'withheld');

see(
  'a skill that an erased candidate listed passes',
  log => {
    postpone(log);
    change(log, 'erased', ({ listed }) => void listed.pop());
  },
  'withheld',
);
