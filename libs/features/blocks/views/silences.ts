import { PreferenceChanged } from '#libs/features/blocks/domain/preferences.js';
import * as d from '#libs/views/document-schema.js';
import { defineProjection, on } from '#libs/views/projection.js';

const Period = d.object({ from: d.position, to: d.orNull(d.position) });

/** Between which positions of the log an agent blocks another, by the ids that the requests named. */
const SilenceDocument = d.object({
  muse_id: d.museId,
  periods: d.list(Period),
  /** Position of the latest choice. */
  chosen: d.position,
});
export type SilenceDocument = d.DocumentOf<typeof SilenceDocument>;

export const silenceKey = (museId: string, to: string) => `${museId}/${to}`;

/** Rests on private events, so only the service can build it. */
export const Silences = defineProjection('silences', SilenceDocument, {
  shape: '1cb54700',
  idsBegin: 'muse_id/',
  indexes: { byMuse: ['muse_id'] },
  steps: [
    on(
      PreferenceChanged,
      ({ data: { muse_id, to } }) => [silenceKey(muse_id, to)],
      (silence, { data: { muse_id, blocked }, position }) => {
        const closed = (silence?.periods ?? []).map(period => ({ ...period, to: period.to ?? position }));
        return { muse_id, periods: blocked ? [...closed, { from: position, to: null }] : closed, chosen: position };
      },
    ),
  ],
});
