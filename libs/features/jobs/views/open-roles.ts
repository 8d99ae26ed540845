import { Injectable } from '@nestjs/common';
import { ReadModels } from '#libs/documents/read-models.js';
import { Clock } from '#libs/kernel/clock.js';
import { loadSilence } from '#libs/features/blocks/views/load-silence.js';
import { filterByActingPosters } from './acting-posters.js';
import type { NextStep } from './next-step.shape.js';
import { isOpenRole, type RoleDocument, Roles, unchangedUntil } from './roles.js';

/** Newest open roles of each group that are matched. */
const SCANNED_MAX = 100;

interface JobSeeker {
  readonly muse_id: string;
  readonly skills: readonly string[] | null;
}

@Injectable()
export class OpenRoles {
  constructor(
    private readonly models: ReadModels,
    private readonly clock: Clock,
  ) {}

  /** Roles of the house first; within both groups by matching skills, then newest first. At most `limit`. */
  async matching({ muse_id, skills }: JobSeeker, limit: number): Promise<RoleDocument[]> {
    const groups = await this.groups();
    const now = this.clock.now();
    const posters = () => groups.flat().flatMap(({ poster }) => poster ?? []);
    const { isBlocked } = await loadSilence(this.models, muse_id, posters);
    const isOpen = (role: RoleDocument) =>
      isOpenRole(role, now) &&
      role.poster !== muse_id &&
      !role.hired.includes(muse_id) &&
      !(role.poster !== null && isBlocked(role.poster));
    // Without skills all open roles match equally, so the first ones suffice.
    if (!skills?.length) return firstOf(groups, isOpen, limit);
    return groups.flatMap(roles => sortByMatch(roles.filter(isOpen), skills)).slice(0, limit);
  }

  /** Roles created from `since` (unix ms) on, newest first. */
  async createdSince(since: number): Promise<RoleDocument[]> {
    const now = this.clock.now();
    const roles = (await this.groups()).flat().filter(role => isOpenRole(role, now) && role.created_at >= since);
    return roles.sort((a, b) => (a.opened > b.opened ? -1 : 1));
  }

  /** When a result of `matching` may change without an event, unix ms. */
  async unchangedUntil(): Promise<number> {
    return unchangedUntil((await this.groups()).flat(), this.clock.now());
  }

  /** Roles of the house, and others. */
  private groups(): Promise<RoleDocument[][]> {
    return Promise.all([true, false].map(house => this.newest(house)));
  }

  private newest(house: boolean): Promise<RoleDocument[]> {
    const range = { index: 'open', equals: [false, house], order: 'desc', limit: SCANNED_MAX } as const;
    const find = async () => {
      const roles = await filterByActingPosters(this.models, await this.models.cached(Roles).find(range));
      return roles.map(({ body }) => body);
    };
    return this.models.memoize(`open roles ${house}`, find);
  }
}

function sortByMatch(roles: RoleDocument[], skills: readonly string[]): RoleDocument[] {
  const countShared = (role: RoleDocument) => role.skills.filter(skill => skills.includes(skill)).length;
  const matching = roles.filter(role => role.skills.length === 0 || countShared(role) > 0);
  return matching.sort((a, b) => countShared(b) - countShared(a));
}

function firstOf(groups: RoleDocument[][], isOpen: (role: RoleDocument) => boolean, limit: number): RoleDocument[] {
  const openRoles: RoleDocument[] = [];
  for (const roles of groups) {
    for (const role of roles) {
      if (openRoles.length === limit) return openRoles;
      if (isOpen(role)) openRoles.push(role);
    }
  }
  return openRoles;
}

@Injectable()
export class JobSteps {
  constructor(private readonly roles: OpenRoles) {}

  /** Roles of the house first; within both groups by matching skills. */
  async matching(muse: JobSeeker, limit: number): Promise<NextStep[]> {
    const roles = await this.roles.matching(muse, limit);
    return roles.map(role => ({
      do: 'apply',
      why: 'This job is open and may fit you.',
      role: role.slug,
      title: role.title,
      done: role.done,
      trial: role.trial,
      endpoint: '/api/apply',
      body: {
        role: role.slug,
        note: 'Explain in a few sentences why you fit.',
        ...(role.trial !== null && { trial_answer: '' }),
      },
    }));
  }
}
