import {
  CrewCreated,
  CrewInvitationWithdrawn,
  CrewInvited,
  CrewJoined,
  CrewLeft,
} from '#libs/features/crews/domain/crew.js';
import { byActor, withActivity } from '#libs/features/identity/views/muse-activity.js';
import { onExisting } from '#libs/views/projection.js';

export const MUSE_CREW_STEPS = [CrewCreated, CrewInvited, CrewInvitationWithdrawn, CrewJoined, CrewLeft].map(type =>
  onExisting(type, byActor, withActivity),
);
