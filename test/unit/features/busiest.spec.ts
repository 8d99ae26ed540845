import { expect, test } from '@jest/globals';
import type { Collection, IndexRange } from '#libs/documents/document-store.port.js';
import { findBusiest } from '#libs/features/finding/trending.js';

interface Applied {
  readonly [field: string]: string | number;
  readonly role: string;
  readonly applications: number;
}

const TODAY = 20_000;
/** More roles than are counted exactly. */
const CLOSED = 60;

/** Documents of one day, the busiest role first. */
function daily(roles: readonly string[]) {
  const documents = roles.map((role, at) => {
    const body: Applied = { role, applications: 1_000 - at };
    return { id: `${TODAY}/${role}`, body };
  });
  const find = async ({ equals, limit }: IndexRange) => (equals[0] === TODAY ? documents.slice(0, limit) : []);
  const getMany = async (ids: readonly string[]) => documents.filter(({ id }) => ids.includes(id));
  return {
    collection: { find, getMany } as unknown as Collection<Applied>,
    amountOf: ({ applications }: Applied) => BigInt(applications),
    subjectOf: ({ role }: Applied) => role,
    keyOf: (day: number, role: string) => `${day}/${role}`,
  };
}

test('open roles are found after any number of closed roles', async () => {
  const closed = Array.from({ length: CLOSED }, (_, at) => `closed-${at}`);
  const looked = daily([...closed, 'open-1', 'open-2']);
  const filterSubjects = async (roles: readonly string[]) => new Set(roles.filter(role => role.startsWith('open')));
  expect([...(await findBusiest({ ...looked, filterSubjects }, TODAY))].map(([role]) => role)).toEqual([
    'open-1',
    'open-2',
  ]);
  expect([...(await findBusiest(looked, TODAY))][0]).toEqual(['closed-0', 1_000n]);
});
