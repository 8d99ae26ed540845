import { Hired } from '#libs/events/hire.js';
import { Applied, ApplicationEdited } from '#libs/events/job.js';
import type { Position } from '#libs/kernel/event.js';
import { change, on, projection } from './on.js';

export type ApplicationDocument = {
  readonly role: string;
  readonly muse_id: string;
  readonly poster: string | null;
  readonly note: string | null;
  readonly crew: string | null;
  readonly status: 'applied' | 'hired';
  readonly hire: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly opened: Position;
};

export const applicationKey = (role: string, museId: string) => `${role}:${museId}`;

/** What a muse asked of a role. Trial answers are private and stand nowhere here. */
export const Applications = projection<ApplicationDocument>({
  name: 'applications',
  version: 1,
  indexes: { byRole: ['role', 'opened'], byMuse: ['muse_id', 'opened'] },
  steps: [
    on(
      Applied,
      ({ data }) => [applicationKey(data.role, data.muse_id)],
      (_document, { data, at, position }) => {
        const { role, muse_id, poster, note, crew } = data;
        return {
          role,
          muse_id,
          poster,
          note,
          crew,
          status: 'applied',
          hire: null,
          created_at: at,
          updated_at: at,
          opened: position,
        };
      },
    ),
    change(
      ApplicationEdited,
      ({ data }) => [applicationKey(data.role, data.muse_id)],
      (application, { data, at }) => ({
        ...application,
        note: data.note,
        crew: data.crew,
        updated_at: at,
      }),
    ),
    change(
      Hired,
      ({ data }) => [applicationKey(data.role, data.worker)],
      (application, { data, at }) => ({
        ...application,
        status: 'hired',
        hire: data.hire,
        updated_at: at,
      }),
    ),
  ],
});
