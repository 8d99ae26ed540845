import type { ReadModels } from '#libs/documents/read-models.js';
import { CrewMembers } from '#libs/views/crew-members.js';
import type { NextStep } from '#libs/views/shapes/next-step.js';

const INVITATIONS_MAX = 1;

/** To accept the newest invitation to a crew: nothing else tells of it. */
export async function invitationsOf(models: ReadModels, museId: string): Promise<NextStep[]> {
  const newest = { index: 'byMuse', equals: [museId, false], order: 'desc', limit: INVITATIONS_MAX } as const;
  const found = await models.remember(`invitations of ${museId}`, () => models.of(CrewMembers).find(newest));
  return found.map(({ body: { crew } }) => ({
    do: 'crew_join',
    why: `A member of the crew ${crew} has invited you.`,
    endpoint: '/api/crew_join',
    body: { crew },
  }));
}
