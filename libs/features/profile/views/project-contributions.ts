import { Delivered, Hired } from '#libs/features/hires/domain/hire.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

/** A hire counts one delivery, however many versions it has. */
const ProjectContributionDocument = d.object({
  project: d.slug,
  muse: d.museId,
  hires: d.integer,
  deliveries: d.integer,
  since: d.position,
});

type HireEvent = { readonly data: { readonly project?: string | null; readonly worker: string } };
const byWorker = ({ data: { project, worker } }: HireEvent) => (project == null ? [] : [`${project}:${worker}`]);

export const ProjectContributions = defineProjection('project_contributions', ProjectContributionDocument, {
  shape: 'b67f2620',
  idsBegin: 'project:',
  indexes: { byProject: ['project', 'deliveries', 'hires', 'since'] },
  steps: [
    on(Hired, byWorker, (document, { data, position }) => {
      const first = { project: data.project!, muse: data.worker, hires: 0, deliveries: 0, since: position };
      const { hires, ...contribution } = document ?? first;
      return { ...contribution, hires: hires + 1 };
    }),
    on(
      Delivered,
      event => (event.data.delivery === 1 ? byWorker(event) : []),
      document => (document ? { ...document, deliveries: document.deliveries + 1 } : null),
    ),
  ],
});
