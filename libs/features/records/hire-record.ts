import { withoutParsing } from '#libs/validation/field-validator.js';
import { optional } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { DriftChecker } from '#libs/features/deliveries/public.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Issuer } from '#libs/issuer/issuer.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { rule } from '#libs/kernel/refusal.js';
import { defineQuery } from '#libs/endpoints/query.js';
import { applicationKey, Applications } from '#libs/features/jobs/views/applications.js';
import { Hires } from '#libs/features/hires/views/hires.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import { SignedRecord } from '#libs/views/shapes/signed-documents.js';
import { hirePayload } from './payloads.js';
import { RECORD_LIST_MAX, loadHireDetails } from './hire-details.js';

/** How long a record waits for the read model to contain the change that its own comparison has just written. */
const OWN_CHANGE_MS = SECOND_MS;

/** The signed record of a hire, and whether its delivery is still what was delivered. */
export const hireRecord = defineQuery('hire_record', {
  path: '/api/record/hire/:hire',
  params: { hire: optional(withoutParsing(c.id, 'number'), 'The hire') },
  uses: { models: ReadModels, issuer: Issuer, drift: DriftChecker },
  answer: SignedRecord,
  errors: ['not_found'],
  doc: {
    tag: 'Records',
    tool: { name: 'hire_record', title: 'Read the signed record of a hire', effect: 'read' },
    summary: 'The signed record of a hire',
    details:
      'Reading it compares the delivery again, at most once in 10 minutes. Of versions, rechecks and states it holds ' +
      `the newest ${RECORD_LIST_MAX} each; the event feed has all of them.`,
    example: { hire: '123456789012' },
  },
  async find({ hire = '' }, { models, issuer, drift }) {
    const before = (await models.of(Hires).get(hire))?.body;
    rule(before !== undefined, 'not_found', 'There is no such hire.');
    const { live, changed } = await drift.checkLive(before);
    const behind = live.matches !== null && live.matches !== (before.drift === null);
    if (changed || behind) await models.waitForHead(OWN_CHANGE_MS);
    const whole = (await loadHireDetails(models, before.hire))!;
    const role = await models.of(Roles).get(before.role);
    const application = await models.of(Applications).get(applicationKey(before.role, before.worker));
    const record = await issuer.sign(hirePayload(whole, role?.body.title ?? null, application?.body));
    return { record, live: { ...live } };
  },
});
