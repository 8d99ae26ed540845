import { isDeepStrictEqual } from 'node:util';
import { assertAudit, type ReplayedDecision } from '#libs/endpoints/decision.js';
import type { Entity } from '#libs/kernel/decide.js';
import { isKnownMuse, Muse } from '#libs/domain/muse.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { provesSkills } from '#libs/features/hires/domain/proof.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { type Candidate, Job } from '#libs/features/jobs/domain/job.js';
import { skillsIn } from './candidates.js';

/** Compares the reasons of each candidate with the log: the documents that they are from may lag two minutes. */
export function verifyReasons({ candidates }: { readonly candidates: readonly Candidate[] }, replay: ReplayedDecision) {
  const wanted = wantedSkills(replay);
  for (const candidate of candidates) {
    const { muse_id: muse, proven, listed } = candidate;
    const isAskedFor = (skills: readonly string[]) =>
      wanted === null ||
      isDeepStrictEqual(
        skills,
        wanted.filter(skill => skills.includes(skill)),
      );
    assertAudit(isAskedFor(proven) && isAskedFor(listed), `It names skills of ${muse} that the job does not ask for.`);
    verifyListed(candidate, wanted ?? [], replay);
    verifyProven(candidate, wanted ?? [], replay);
  }
}

/** Null if the job names no skills, and its words are erased. */
function wantedSkills({ event, pastStates }: ReplayedDecision): readonly string[] | null {
  const posted = pastStates(event.stream, Job)?.[0] ?? Job.initial;
  if (posted.status === 'unknown') return null;
  const { skills, terms } = posted;
  if (skills.length > 0) return skills;
  return terms.summary === null ? null : skillsIn(terms.summary);
}

/** A skill that was there all the time is named. The decision removes skills that are not there. */
function verifyListed({ muse_id, listed }: Candidate, wanted: readonly string[], replay: ReplayedDecision): void {
  const states = recentStates(replay, Muse.streamName(muse_id), Muse);
  const isLasting = (skill: string) =>
    states.length > 0 && states.every(muse => isKnownMuse(muse) && muse.skills?.some(each => each === skill));
  const left = wanted.find(skill => isLasting(skill) && !listed.includes(skill));
  assertAudit(left === undefined, `It leaves out that ${muse_id} lists ${left}.`);
}

function verifyProven({ muse_id, proven }: Candidate, wanted: readonly string[], replay: ReplayedDecision): void {
  const muses = recentStates(replay, Muse.streamName(muse_id), Muse);
  const hiresOf = (muse: Muse | undefined) =>
    actingIdentities(muse_id, muse).flatMap(worker => [...replay.hiresBy(worker)]);
  const proves = (skill: string) => (hire: Hire) =>
    hire.status !== 'unknown' && provesSkills(hire) && hire.skills.some(each => each === skill);
  const wrong = proven.find(
    skill => !hiresOf(muses.at(-1)).some(stream => recentStates(replay, stream, Hire).some(proves(skill))),
  );
  assertAudit(wrong === undefined, `No work of ${muse_id} proved ${wrong}.`);
  const isLasting = (skill: string) => (stream: string) => {
    const states = replay.recentStates(stream, Hire);
    return states.length > 0 && states.every(proves(skill));
  };
  const left = wanted.find(skill => !proven.includes(skill) && hiresOf(muses[0]).some(isLasting(skill)));
  assertAudit(left === undefined, `It leaves out that ${muse_id} has proven ${left}.`);
}

/** All states of a stream that began since. */
function recentStates<S>({ recentStates, pastStates }: ReplayedDecision, stream: string, entity: Entity<S>) {
  const states = recentStates(stream, entity);
  return states.length > 0 ? states : (pastStates(stream, entity) ?? []);
}
