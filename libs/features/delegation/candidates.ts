import { Injectable } from '@nestjs/common';
import { getById, getInOrder } from '#libs/documents/get-many.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { parseSkills } from '#libs/kernel/skills.js';
import { CANDIDATES_MAX, type Candidate } from '#libs/features/jobs/domain/job.js';
import { linkedIds } from '#libs/features/identity/views/linked-muses.js';
import { type MuseDocument, Muses } from '#libs/features/identity/views/muses.js';
import { People, type PersonDocument } from '#libs/features/identity/views/people.js';
import { provenSkillKey, ProvenSkills } from '#libs/features/hires/views/proven-skills.js';
import { loadReplyStats } from '#libs/features/messages/views/reply-stats.js';

/** Maximum scanned per skill: muses that list it (open to work first), and muses that have proven it. */
const SCANNED_MAX = 50;
/** Maximum best candidates whose reply rates are loaded. */
const REPLIES_OF_MAX = 2 * CANDIDATES_MAX;
/** Only used for a task without skills. */
const WORDS_MAX = 40;
const WORDS_OF_SKILL_MAX = 2;

export interface CandidateQuery {
  readonly poster: string;
  readonly skills: readonly string[];
  /** Null after erasure. */
  readonly task: string | null;
}

type RankedCandidate = Omit<Candidate, 'reply_rate'> & { readonly since: string };

/** Returns each word and each pair of adjacent words among the first of a text. */
export function skillsIn(text: string): string[] {
  const words = text.split(/[\s,;:!?()"]+/, WORDS_MAX).map(word => word.replace(/^\.+|\.+$/g, ''));
  const lengths = Array.from({ length: WORDS_OF_SKILL_MAX }, (_, at) => at + 1);
  const runs = lengths.flatMap(length => words.map((_word, at) => words.slice(at, at + length).join(' ')));
  return [...new Set(runs.flatMap(run => parseSkills(run).skills))];
}

const countSkills = ({ proven, listed }: Candidate | RankedCandidate) => new Set([...proven, ...listed]).size;

/** More proven skills first, then more skills at all, then open to work. */
const compareSkills = (a: Candidate | RankedCandidate, b: Candidate | RankedCandidate) =>
  b.proven.length - a.proven.length ||
  countSkills(b) - countSkills(a) ||
  Number(b.open_to_work) - Number(a.open_to_work);

/** Among equals the newest is first. */
export const compareFit = (a: RankedCandidate, b: RankedCandidate) =>
  compareSkills(a, b) || (a.since > b.since ? -1 : 1);

export const compareFitAndReplies = (a: Candidate, b: Candidate) =>
  compareSkills(a, b) || (b.reply_rate ?? -1) - (a.reply_rate ?? -1);

@Injectable()
export class Candidates {
  constructor(private readonly models: ReadModels) {}

  /** At most `CANDIDATES_MAX`, best first. Excludes the poster, and muses that are suspended or linked to another. */
  async find({ poster, skills, task }: CandidateQuery): Promise<Candidate[]> {
    const wantedSkills = skills.length > 0 ? skills : skillsIn(task ?? '');
    await this.models.waitForAnswered();
    const [listing, proving] = await Promise.all([this.findListing(wantedSkills), this.findProving(wantedSkills)]);
    const people = await this.loadPeople([...listing, ...proving.keys()]);
    const fitting = people
      .filter(({ muse_id }) => muse_id !== poster)
      .map(person => rankCandidate(person, wantedSkills, proving.get(person.muse_id) ?? []))
      .sort(compareFit)
      .slice(0, REPLIES_OF_MAX);
    const provenByMuse = await this.loadProven(fitting, wantedSkills);
    const candidates = await Promise.all(
      fitting.map(async ({ since: _since, ...candidate }) => {
        const { reply_rate } = await loadReplyStats(this.models, candidate.muse_id);
        return { ...candidate, proven: provenByMuse.get(candidate.muse_id) ?? [], reply_rate };
      }),
    );
    return candidates.sort(compareFitAndReplies).slice(0, CANDIDATES_MAX);
  }

  private async findListing(skills: readonly string[]): Promise<string[]> {
    const range = { index: 'bySkill', order: 'desc', limit: SCANNED_MAX } as const;
    const people = this.models.of(People);
    const pages = await Promise.all(skills.map(skill => people.find({ ...range, equals: [true, skill] })));
    return pages.flat().map(({ id }) => id);
  }

  /** Skills of an earlier identity count for the later one. */
  private async findProving(skills: readonly string[]): Promise<Map<string, string[]>> {
    const range = { index: 'bySkill', order: 'desc', limit: SCANNED_MAX } as const;
    const documents = this.models.of(ProvenSkills);
    const entries = (await Promise.all(skills.map(skill => documents.find({ ...range, equals: [skill] })))).flat();
    const proven = entries.filter(({ body }) => body.hires > 0).map(({ body }) => body);
    const ids = proven.map(({ muse_id }) => muse_id);
    const muses = await getById(this.models.of(Muses), ids);
    const byMuse = new Map<string, string[]>();
    for (const { muse_id, skill } of proven) {
      const owner = muses.get(muse_id)?.linked_to ?? muse_id;
      byMuse.set(owner, [...new Set([...(byMuse.get(owner) ?? []), skill])]);
    }
    return byMuse;
  }

  /** Returns all wanted skills that each has proven: `findProving` scans some of many. */
  private async loadProven(
    candidates: readonly RankedCandidate[],
    wantedSkills: readonly string[],
  ): Promise<Map<string, string[]>> {
    const muses = await getById(
      this.models.of(Muses),
      candidates.map(({ muse_id }) => muse_id),
    );
    const keysOf = (muse: MuseDocument, skill: string) => linkedIds(muse).map(id => provenSkillKey(id, skill));
    const keys = [...muses.values()].flatMap(muse => wantedSkills.flatMap(skill => keysOf(muse, skill)));
    const documents = await getById(this.models.of(ProvenSkills), keys);
    const isProven = (key: string) => (documents.get(key)?.hires ?? 0) > 0;
    return new Map(
      [...muses].map(([id, muse]) => [id, wantedSkills.filter(skill => keysOf(muse, skill).some(isProven))]),
    );
  }

  private async loadPeople(ids: readonly string[]): Promise<PersonDocument[]> {
    const distinct = [...new Set(ids)];
    const [people, muses] = await Promise.all([
      getInOrder(this.models.of(People), distinct),
      getById(this.models.of(Muses), distinct),
    ]);
    return people.filter(({ listed, muse_id }) => listed && !muses.get(muse_id)?.linked_to);
  }
}

const rankCandidate = (
  { muse_id, skills, open, since }: PersonDocument,
  wantedSkills: readonly string[],
  proven: string[],
): RankedCandidate => ({
  muse_id,
  proven: wantedSkills.filter(skill => proven.includes(skill)),
  listed: wantedSkills.filter(skill => skills.includes(skill)),
  open_to_work: open,
  since,
});
