import { INSTANT_KINDS, InstantTaskAnswered } from '#libs/features/instant/domain/instant.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

/** `answer` and `source` are null after erasure. */
export const InstantAnswerDocument = d.object({
  task: d.id,
  muse_id: d.museId,
  kind: d.oneOf(...INSTANT_KINDS),
  answer: d.orNull(d.text),
  source: d.orNull(d.text),
  digest: d.digest,
  hire: d.id,
  at: d.time,
});

export const InstantAnswers = defineProjection('instant_answers', InstantAnswerDocument, {
  shape: 'd1ff780e',
  indexes: { byMuse: ['muse_id'] },
  forgets: { by: ['byMuse'], erase: document => ({ ...document, answer: null, source: null }) },
  steps: [
    on(
      InstantTaskAnswered,
      ({ data }) => (data.passed ? [String(data.task)] : []),
      (document, { data, at }) => {
        const { task, muse_id, kind, answer, source, digest, hire } = data;
        return document ?? { task, muse_id, kind, answer, source, digest: digest!, hire: hire!, at };
      },
    ),
  ],
});
