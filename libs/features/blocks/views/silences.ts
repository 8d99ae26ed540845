import { PreferenceChanged } from '#libs/features/blocks/domain/preferences.js';
import * as d from '#libs/views/document-schema.js';
import { by, defineProjection, on } from '#libs/views/projection.js';

const Period = d.object({ from: d.position, to: d.orNull(d.position) });

/** Between which positions of the log an agent blocks others, by the id that it named. */
const SilenceDocument = d.object({
  periods: d.mapOf(d.list(Period)),
  /** Position of the latest choice about each. */
  chosen: d.mapOf(d.position),
});
export type SilenceDocument = d.DocumentOf<typeof SilenceDocument>;

const NONE: SilenceDocument = { periods: {}, chosen: {} };

/** Rests on private events, so only the service can build it. */
export const Silences = defineProjection('silences', SilenceDocument, {
  shape: '67846585',
  steps: [
    on(PreferenceChanged, by('muse_id'), (silence = NONE, { data: { to, blocked }, position }) => {
      const { periods, chosen } = silence;
      const all = periods[to] ?? [];
      const closed = all.map(period => ({ ...period, to: period.to ?? position }));
      const next = blocked ? [...closed, { from: position, to: null }] : closed;
      return { periods: { ...periods, [to]: next }, chosen: { ...chosen, [to]: position } };
    }),
  ],
});
