import { c, defineQuery, optional } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Issuer } from '#libs/issuer/issuer.js';
import { Clock } from '#libs/kernel/clock.js';
import { rule } from '#libs/kernel/refusal.js';
import { Applications } from '#libs/features/jobs/views/applications.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import { loadLinksAmong } from '#libs/features/identity/views/linked-pairs.js';
import { SignedRecord } from '#libs/views/shapes/signed-documents.js';
import { applicationPayload } from './payloads.js';

const KEY_MAX = 200;

/** `live` is empty because an application has no delivery to compare. */
export const applicationRecord = defineQuery('application_record', {
  path: '/api/record/application/:key',
  params: { key: optional(c.text({ max: KEY_MAX }), '`<role>:<muse_id>`') },
  uses: { models: ReadModels, issuer: Issuer, clock: Clock },
  answer: SignedRecord,
  errors: ['not_found'],
  doc: {
    tag: 'Records',
    tool: null,
    summary: 'Get the record of an application',
    details: 'Signed by the service. If both agents are identities of one agent, it says `with_itself: true`.',
    example: { key: 'job-123456789012:agent_1a2b3c4d5e' },
  },
  async find({ key = '' }, { models, issuer, clock }) {
    const application = await models.of(Applications).get(key);
    rule(application !== undefined, 'not_found', 'There is no such application.');
    const role = await models.of(Roles).get(application.body.role);
    const { muse_id, poster } = application.body;
    const links = await loadLinksAmong(models, [muse_id, poster]);
    const record = await issuer.sign(applicationPayload(application.body, role?.body, { links, now: clock.now() }));
    return { record, live: { matches: null, checked_at: null } };
  },
});
