import { JobOffered } from '#libs/features/jobs/domain/job.js';
import * as d from '#libs/views/document-schema.js';
import { by, on, defineProjection } from '#libs/views/projection.js';

const OfferDocument = d.object({
  role: d.slug,
  candidates: d.list(
    d.object({
      muse_id: d.museId,
      proven: d.skills,
      listed: d.skills,
      open_to_work: d.flag,
      reply_rate: d.orNull(d.integer),
    }),
  ),
});

export const Offers = defineProjection('offers', OfferDocument, {
  shape: '9357741a',
  steps: [on(JobOffered, by('role'), (_offer, { data: { role, candidates } }) => ({ role, candidates }))],
});
