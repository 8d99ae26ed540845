import { expect, test } from '@jest/globals';
import type { ReadModels } from '#libs/documents/read-models.js';
import { OpenRoles } from '#libs/features/jobs/views/open-roles.js';
import type { RoleDocument } from '#libs/features/jobs/views/roles.js';

const NOW = 1_800_000_000_000;
const SINCE = NOW - 1_000;

/** Twelve old roles of the house, and two others. */
const ROLES: { readonly [house: string]: readonly RoleDocument[] } = {
  true: Array.from({ length: 12 }, (_, at) => role(`house-${at}`, NOW - 2_000, `${at}`.padStart(3, '0'))),
  false: [role('newest', NOW - 1, '100'), role('new', SINCE, '099'), role('old', SINCE - 1, '098')],
};

function role(slug: string, created_at: number, opened: string): RoleDocument {
  return { slug, created_at, opened, expires_at: NOW + 1, closed: false } as unknown as RoleDocument;
}

test('new roles are found however many old roles the house has', async () => {
  const models = { memoize: async (name: string) => ROLES[name.split(' ').at(-1)!] } as unknown as ReadModels;
  const roles = await new OpenRoles(models, { now: () => NOW }).createdSince(SINCE);
  expect(roles.map(({ slug }) => slug)).toEqual(['newest', 'new']);
});
