import { Forgotten, ProfileUpdated, Registered } from '#libs/domain/muse.js';
import type { EventOf } from '#libs/domain/define.js';
import * as d from '#libs/views/document-schema.js';
import { by, on, defineProjection, removeOn } from '#libs/views/projection.js';

/** `since`: log position from which new roles are reported, by skill. */
const AlertDocument = d.object({ on: d.flag, skills: d.skills, since: d.mapOf(d.position) });
type AlertDocument = d.DocumentOf<typeof AlertDocument>;

const NO_ALERTS: AlertDocument = { on: false, skills: [], since: {} };

type AlertEvent = EventOf<typeof Registered> | EventOf<typeof ProfileUpdated>;

/** A skill that was already subscribed keeps its position. */
function updateAlert(document: AlertDocument = NO_ALERTS, { data, position }: AlertEvent): AlertDocument {
  const { job_alerts = document.on } = data;
  const skills = data.skills === undefined ? document.skills : (data.skills ?? []);
  const alertSkills = job_alerts ? skills : [];
  const since = Object.fromEntries(alertSkills.map(skill => [skill, document.since[skill] ?? position]));
  return { on: job_alerts, skills: [...skills], since };
}

export const Alerts = defineProjection('alerts', AlertDocument, {
  shape: '298799dc',
  steps: [
    on(Registered, by('muse_id'), updateAlert),
    on(ProfileUpdated, by('muse_id'), updateAlert),
    removeOn(Forgotten, by('muse_id')),
  ],
});
