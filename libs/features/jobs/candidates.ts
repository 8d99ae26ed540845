import { Injectable } from '@nestjs/common';
import { manyOf } from '#libs/documents/many.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { parseSkills } from '#libs/kernel/skills.js';
import { CANDIDATES_MAX, type Candidate } from '#libs/features/jobs/domain/job.js';
import { type MuseDocument, Muses } from '#libs/features/profile/views/muses.js';
import { People, type PersonDocument } from '#libs/features/profile/views/people.js';
import { ProvenSkills } from '#libs/features/hires/views/proven-skills.js';
import { replyOf } from '#libs/features/profile/views/reply.js';

/** How many that list a skill are looked at, those that are open to work first, and how many that have proven it. */
const LOOKED_AT = 50;
/** Of how many of the best it is looked at how they answer. */
const REPLIES_OF_MAX = 2 * CANDIDATES_MAX;
/** How many words of a task are looked at where it names no skills, and of how many a skill may be made. */
const WORDS_MAX = 40;
const WORDS_OF_SKILL_MAX = 2;

/** What a job asks for. */
export interface Wanted {
  readonly poster: string;
  readonly skills: readonly string[];
  /** Null once it was erased. */
  readonly task: string | null;
}

/** A candidate before it is known how it answers. */
type Fitting = Omit<Candidate, 'reply_rate'> & { readonly since: string };

/** What could be a skill among the first words of a text: each word, and each two that follow one another. */
export function skillsIn(text: string): string[] {
  const words = text.split(/[\s,;:!?()"]+/, WORDS_MAX).map(word => word.replace(/^\.+|\.+$/g, ''));
  const lengths = Array.from({ length: WORDS_OF_SKILL_MAX }, (_, at) => at + 1);
  const runs = lengths.flatMap(length => words.map((_word, at) => words.slice(at, at + length).join(' ')));
  return [...new Set(runs.flatMap(run => parseSkills(run).skills))];
}

const covered = ({ proven, listed }: Candidate | Fitting) => new Set([...proven, ...listed]).size;

/** The more skills are proven the better, then the more there are at all; who is open to work, who joined last. */
export const byFit = (a: Fitting, b: Fitting) =>
  b.proven.length - a.proven.length ||
  covered(b) - covered(a) ||
  Number(b.open_to_work) - Number(a.open_to_work) ||
  (a.since > b.since ? -1 : 1);

/** As `byFit`, and among equals who answers most of those that write to it. */
export const byFitAndReplies = (a: Candidate, b: Candidate) =>
  b.proven.length - a.proven.length ||
  covered(b) - covered(a) ||
  Number(b.open_to_work) - Number(a.open_to_work) ||
  (b.reply_rate ?? -1) - (a.reply_rate ?? -1);

/** Looks in the documents for the agents that a job fits. */
@Injectable()
export class Candidates {
  constructor(private readonly models: ReadModels) {}

  /** At most `CANDIDATES_MAX`, who fits best first. None of them is the poster, suspended or counts for another. */
  async for({ poster, skills, task }: Wanted): Promise<Candidate[]> {
    const wanted = skills.length > 0 ? skills : skillsIn(task ?? '');
    const [listing, proving] = await Promise.all([this.listing(wanted), this.proving(wanted)]);
    const people = await this.people([...listing, ...proving.keys()]);
    const fitting = people
      .filter(({ muse_id }) => muse_id !== poster)
      .map(person => fit(person, wanted, proving.get(person.muse_id) ?? []))
      .sort(byFit)
      .slice(0, REPLIES_OF_MAX);
    const candidates = await Promise.all(
      fitting.map(async ({ since: _since, ...candidate }) => {
        const { reply_rate } = await replyOf(this.models, candidate.muse_id);
        return { ...candidate, reply_rate };
      }),
    );
    return candidates.sort(byFitAndReplies).slice(0, CANDIDATES_MAX);
  }

  /** Who lists any of the skills. */
  private async listing(skills: readonly string[]): Promise<string[]> {
    const range = { index: 'bySkill', order: 'desc', limit: LOOKED_AT } as const;
    const people = this.models.of(People);
    const found = await Promise.all(skills.map(skill => people.find({ ...range, equals: [true, skill] })));
    return found.flat().map(({ id }) => id);
  }

  /** Who has proven any of the skills, and which; what an earlier identity has proven counts for the later one. */
  private async proving(skills: readonly string[]): Promise<Map<string, string[]>> {
    const range = { index: 'bySkill', order: 'desc', limit: LOOKED_AT } as const;
    const documents = this.models.of(ProvenSkills);
    const found = (await Promise.all(skills.map(skill => documents.find({ ...range, equals: [skill] })))).flat();
    const proven = found.filter(({ body }) => body.hires > 0).map(({ body }) => body);
    const muses = await this.muses(proven.map(({ muse_id }) => muse_id));
    const byMuse = new Map<string, string[]>();
    for (const { muse_id, skill } of proven) {
      const counts = muses.get(muse_id)?.linked_to ?? muse_id;
      byMuse.set(counts, [...new Set([...(byMuse.get(counts) ?? []), skill])]);
    }
    return byMuse;
  }

  /** Those who stand in lists of people, and count for nobody else. */
  private async people(ids: readonly string[]): Promise<PersonDocument[]> {
    const distinct = [...new Set(ids)];
    const [people, muses] = await Promise.all([manyOf(this.models.of(People), distinct), this.muses(distinct)]);
    return people.map(({ body }) => body).filter(({ listed, muse_id }) => listed && !muses.get(muse_id)?.linked_to);
  }

  private async muses(ids: readonly string[]): Promise<Map<string, MuseDocument>> {
    const found = await manyOf(this.models.of(Muses), [...new Set(ids)]);
    return new Map(found.map(({ id, body }) => [id, body]));
  }
}

const fit = (
  { muse_id, skills, open, since }: PersonDocument,
  wanted: readonly string[],
  proven: string[],
): Fitting => ({
  muse_id,
  proven: wanted.filter(skill => proven.includes(skill)),
  listed: wanted.filter(skill => skills.includes(skill)),
  open_to_work: open,
  since,
});
