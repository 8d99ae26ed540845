import {
  CrewCreated,
  CrewInvitationWithdrawn,
  CrewInvited,
  CrewJoined,
  CrewLeft,
} from '#libs/features/crews/domain/crew.js';
import type { Event, Position } from '#libs/kernel/event.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection, removeOn } from '#libs/views/projection.js';

export const CrewMemberDocument = d.object({
  crew: d.slug,
  muse: d.museId,
  /** False for a pending invitation. */
  joined: d.flag,
  /** The member that sent the pending invitation. */
  invited_by: d.orNull(d.museId),
  since: d.position,
});
export type CrewMemberDocument = d.DocumentOf<typeof CrewMemberDocument>;

const keyOf = (crew: string, muse: string) => [`${crew}:${muse}`];
type MemberEvent = { readonly data: { readonly crew: string; readonly muse_id: string } };
const byMuse = ({ data: { crew, muse_id } }: MemberEvent) => keyOf(crew, muse_id);

interface Member {
  readonly crew: string;
  readonly muse: string;
  readonly invited_by: string | null;
}

const memberDocument = ({ crew, muse, invited_by }: Member, { position }: { readonly position: Position }) => {
  return { crew, muse, joined: invited_by === null, invited_by, since: position };
};

export const CrewMembers = defineProjection('crew_members', CrewMemberDocument, {
  shape: '5fd4ed78',
  idsBegin: 'crew:',
  indexes: { byCrew: ['crew', 'joined', 'since'], byMuse: ['muse', 'joined', 'since'] },
  steps: [
    on(
      CrewCreated,
      ({ data }) => keyOf(data.crew, data.founder),
      (_document, event) =>
        memberDocument({ crew: event.data.crew, muse: event.data.founder, invited_by: null }, event as Event),
    ),
    on(
      CrewInvited,
      ({ data }) => keyOf(data.crew, data.to),
      (_document, event) =>
        memberDocument({ crew: event.data.crew, muse: event.data.to, invited_by: event.data.by }, event as Event),
    ),
    removeOn(CrewInvitationWithdrawn, ({ data }) => keyOf(data.crew, data.to)),
    on(CrewJoined, byMuse, (_document, event) =>
      memberDocument({ crew: event.data.crew, muse: event.data.muse_id, invited_by: null }, event as Event),
    ),
    removeOn(CrewLeft, byMuse),
  ],
});
