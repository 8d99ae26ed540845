import { c, defineQuery, optional } from '#libs/endpoints/declare.js';
import { unparsed } from '#libs/values/value.js';
import { DriftChecker } from '#libs/features/deliveries/public.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Issuer } from '#libs/issuer/issuer.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { rule } from '#libs/kernel/refusal.js';
import { applicationKey, Applications } from '#libs/features/jobs/views/applications.js';
import { Hires } from '#libs/features/hires/views/hires.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import { SignedRecord } from '#libs/views/shapes/signed-documents.js';
import { hirePayload } from './payloads.js';
import { RECORD_LIST_MAX, loadHireDetails } from './hire-details.js';

/** Maximum wait for the read model to contain the drift that this request has recorded. */
const OWN_CHANGE_WAIT_MAX_MS = SECOND_MS;

export const hireRecord = defineQuery('hire_record', {
  path: '/api/record/hire/:hire',
  params: { hire: optional(unparsed(c.id, 'number'), 'The hire') },
  uses: { models: ReadModels, issuer: Issuer, drift: DriftChecker },
  answer: SignedRecord,
  errors: ['not_found'],
  doc: {
    tag: 'Records',
    tool: { name: 'hire_record', title: 'Read the signed record of a hire', effect: 'read' },
    summary: 'Get the record of a hire',
    details:
      'Signed by the service. Reading it compares the delivered page again, at most once in 10 minutes. It contains the ' +
      `newest ${RECORD_LIST_MAX} versions, rechecks and states each; the event feed has all of them. ` +
      'If both parties are identities of one agent, it says `with_itself: true`. So does a recheck by an identity of a ' +
      'party.',
    example: { hire: '123456789012' },
  },
  async find({ hire = '' }, { models, issuer, drift }) {
    const hireDocument = (await models.of(Hires).get(hire))?.body;
    rule(hireDocument !== undefined, 'not_found', 'There is no such hire.');
    const { live, changed } = await drift.checkLive(hireDocument);
    const showsMatch = hireDocument.drift === null || hireDocument.delivery?.post !== null;
    const isStale = live.matches !== null && live.matches !== showsMatch;
    if (changed || isStale) await models.waitForHead(OWN_CHANGE_WAIT_MAX_MS);
    const details = (await loadHireDetails(models, hireDocument.hire))!;
    const role = await models.of(Roles).get(hireDocument.role);
    const application = await models.of(Applications).get(applicationKey(hireDocument.role, hireDocument.worker));
    const record = await issuer.sign(hirePayload(details, role?.body.title ?? null, application?.body));
    return { record, live: { ...live } };
  },
});
