import {
  CrewCreated,
  CrewInvitationWithdrawn,
  CrewInvited,
  CrewJoined,
  CrewLeft,
} from '#libs/features/crews/domain/crew.js';
import type { Event, Position } from '#libs/kernel/event.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

export const CrewMemberDocument = d.object({
  crew: d.slug,
  muse: d.museId,
  /** False for a pending invitation. */
  joined: d.flag,
  since: d.position,
});
export type CrewMemberDocument = d.DocumentOf<typeof CrewMemberDocument>;

const keyOf = (crew: string, muse: string) => [`${crew}:${muse}`];
type MemberEvent = { readonly data: { readonly crew: string; readonly muse_id: string } };
const byMuse = ({ data: { crew, muse_id } }: MemberEvent) => keyOf(crew, muse_id);

const memberDocument = (crew: string, muse: string, joined: boolean, { position }: { readonly position: Position }) => {
  return { crew, muse, joined, since: position };
};

export const CrewMembers = defineProjection('crew_members', CrewMemberDocument, {
  shape: '5c7cfc6a',
  idsBegin: 'crew:',
  indexes: { byCrew: ['crew', 'joined', 'since'], byMuse: ['muse', 'joined', 'since'] },
  steps: [
    on(
      CrewCreated,
      ({ data }) => keyOf(data.crew, data.founder),
      (_document, event) => memberDocument(event.data.crew, event.data.founder, true, event as Event),
    ),
    on(
      CrewInvited,
      ({ data }) => keyOf(data.crew, data.to),
      (_document, event) => memberDocument(event.data.crew, event.data.to, false, event as Event),
    ),
    on<CrewMemberDocument, typeof CrewInvitationWithdrawn>(
      CrewInvitationWithdrawn,
      ({ data }) => keyOf(data.crew, data.to),
      () => null,
    ),
    on(CrewJoined, byMuse, (_document, event) =>
      memberDocument(event.data.crew, event.data.muse_id, true, event as Event),
    ),
    on<CrewMemberDocument, typeof CrewLeft>(CrewLeft, byMuse, () => null),
  ],
});
