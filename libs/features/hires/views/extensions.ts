import {
  Accepted,
  Delivered,
  DisputeWithdrawn,
  Disputed,
  HireEnded,
  Hired,
  Paid,
  RecheckReplied,
  Rechecked,
  RevisionAsked,
  WageLost,
} from '#libs/features/hires/domain/hire.js';
import { type ApplicationDocument, byWorker, withUpdate } from '#libs/features/jobs/views/applications.js';
import { addCount, byOptionalProject } from '#libs/features/projects/views/projects.js';
import type { EventOf } from '#libs/domain/define.js';
import { withActivity } from '#libs/features/identity/views/muse-activity.js';
import type { MuseDocument } from '#libs/features/identity/views/muses.js';
import { type PersonDocument, sortableAmount } from '#libs/features/identity/views/people.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import type { RoleWordsDocument } from '#libs/features/jobs/views/role-words.js';
import { by, onExisting } from '#libs/views/projection.js';

type Verdict = { readonly positive: boolean; readonly was_positive: boolean | null };

/** A new acceptance of the same hire replaces the previous one. */
function countReview(muse: MuseDocument, { positive, was_positive }: Verdict): MuseDocument {
  const reviews = muse.reviews ?? { count: 0, positive: 0 };
  const added = was_positive === null ? 1 : 0;
  const addedPositive = (positive ? 1 : 0) - (was_positive ? 1 : 0);
  return { ...muse, reviews: { count: reviews.count + added, positive: reviews.positive + addedPositive } };
}

/** `amount` is in the smallest units of the token. */
interface Wage {
  readonly token: string;
  readonly amount: string;
}

function countWage(muse: MuseDocument, { token, amount }: Wage) {
  const earned = muse.earned[token] ?? { count: 0, amount: '0' };
  const sum = { count: earned.count + 1, amount: String(BigInt(earned.amount) + BigInt(amount)) };
  return { ...muse, earned: { ...muse.earned, [token]: sum } };
}

function uncountWage(muse: MuseDocument, { token, amount }: Wage) {
  const { [token]: earned, ...others } = muse.earned;
  if (!earned || earned.count === 1) return { ...muse, earned: others };
  const rest = { count: earned.count - 1, amount: String(BigInt(earned.amount) - BigInt(amount)) };
  return { ...muse, earned: { ...others, [token]: rest } };
}

interface PartiesEvent {
  readonly data: { readonly poster: string | null; readonly worker: string };
}
const byParties = ({ data: { poster, worker } }: PartiesEvent) => [worker, resolvePosterId(poster)];
const byParty = ({ actor, data }: { readonly actor: string; readonly data: { readonly by: string | null } }) =>
  actor === 'service' || data.by === null ? [] : [data.by];

export const ROLE_WORDS_HIRE_STEPS = [
  onExisting(Delivered, by('role'), (words: RoleWordsDocument) => ({ ...words, delivered: true, finished: true })),
];

export const MUSE_HIRE_STEPS = [
  ...[Rechecked, RecheckReplied, Disputed, DisputeWithdrawn, RevisionAsked].map(type =>
    onExisting(type, by('by'), withActivity),
  ),
  onExisting(HireEnded, byParty, withActivity),
  onExisting(Hired, byParties, (muse: MuseDocument, event, id) =>
    id === event.data.worker ? { ...muse, hires: muse.hires + 1 } : withActivity(muse, event),
  ),
  onExisting(Delivered, by('worker'), (muse: MuseDocument, event) => ({
    ...withActivity(muse, event),
    last_delivered_at: event.at,
  })),
  onExisting(Accepted, byParties, (muse: MuseDocument, event, id) =>
    id === event.data.worker ? countReview(muse, event.data) : withActivity(muse, event),
  ),
  onExisting(Paid, byParties, (muse: MuseDocument, event, id) =>
    id === event.data.worker ? countWage(muse, event.data) : withActivity(muse, event),
  ),
  onExisting(WageLost, by('worker'), (muse: MuseDocument, { data }) => uncountWage(muse, data)),
];

const withWage =
  (sign: bigint) =>
  (person: PersonDocument, { data }: { readonly data: { readonly amount: string } }) => ({
    ...person,
    earned: sortableAmount(BigInt(person.earned) + sign * BigInt(data.amount)),
  });

export const PERSON_HIRE_STEPS = [
  onExisting(Paid, by('worker'), withWage(1n)),
  onExisting(WageLost, by('worker'), withWage(-1n)),
];

export const PROJECT_HIRE_STEPS = [onExisting(Hired, byOptionalProject, addCount('hires', 1))];

/** Newest hires that a document keeps. */
const HIRES_MAX = 20;

export const APPLICATION_HIRE_STEPS = [
  onExisting(Hired, byWorker, (application: ApplicationDocument, event) => ({
    ...withUpdate(application, event),
    hired_on: [...application.hired_on, hireEntry(application, event.data)].slice(-HIRES_MAX),
  })),
];

function hireEntry(application: ApplicationDocument, { hire, note_commitment }: EventOf<typeof Hired>['data']) {
  const isSame = application.note_commitment === note_commitment;
  return { hire, note_salt: isSame ? application.note_salt : null, read_at: application.read_at };
}

/** Also works if the document does not contain the hire yet. */
export function readAtOf(application: ApplicationDocument, hired: EventOf<typeof Hired>['data']): number | null {
  const entry = application.hired_on.find(({ hire }) => hire === hired.hire);
  if (entry) return entry.read_at;
  return application.note_commitment === hired.note_commitment ? application.read_at : null;
}
