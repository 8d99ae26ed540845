import { Injectable } from '@nestjs/common';
import { ReadModels } from '#libs/documents/read-models.js';
import { Clock } from '#libs/kernel/clock.js';
import { isOpenRole, type RoleDocument, Roles } from './roles.js';

/** How many open roles of each kind are looked at for a match. */
const LOOKED_AT = 100;

/** The roles that take applications now. */
@Injectable()
export class OpenRoles {
  constructor(
    private readonly models: ReadModels,
    private readonly clock: Clock,
  ) {}

  /** At most `limit` open roles: those of the house first, in each half those with the most of the skills first, then the newest. */
  async matching(skills: readonly string[], limit: number): Promise<RoleDocument[]> {
    const halves = await Promise.all([true, false].map(house => this.newest(house)));
    return halves.flatMap(roles => byMatch(roles, skills)).slice(0, limit);
  }

  private async newest(house: boolean): Promise<RoleDocument[]> {
    const range = { index: 'open', equals: [false, house], order: 'desc', limit: LOOKED_AT } as const;
    const found = await this.models.remember(`open roles ${house}`, () => this.models.of(Roles).find(range));
    const now = this.clock.now();
    return found.map(({ body }) => body).filter(role => isOpenRole(role, now));
  }
}

/** A stable sort by how many skills match; without skills of one's own every role is as good. */
function byMatch(roles: RoleDocument[], skills: readonly string[]): RoleDocument[] {
  if (skills.length === 0) return roles;
  const shared = (role: RoleDocument) => role.skills.filter(skill => skills.includes(skill)).length;
  const fitting = roles.filter(role => role.skills.length === 0 || shared(role) > 0);
  return fitting.sort((a, b) => shared(b) - shared(a));
}
