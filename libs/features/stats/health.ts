import { defineQuery } from '#libs/endpoints/declare.js';
import { HEALTH, HealthReport } from './health-report.js';

export const health = defineQuery('health', {
  path: '/api/health',
  live: true,
  uses: { report: HealthReport },
  answer: HEALTH,
  doc: {
    tag: 'Service',
    tool: null,
    summary: 'Get the health of the service',
    details:
      'Reports the reachability of all parts and the progress of the read models. Answers 503, with the same members, ' +
      'while writes are refused: the event log, the documents or the vault cannot be reached, a write failed in the last ' +
      '30 seconds, or the service is starting and fills its documents from the log (`filling`). During the start, all ' +
      'other paths except `/api/health/live` answer 503 `starting`.',
  },
  async find(_fields, { report }, { reply }) {
    const { status, body } = await report.make();
    void reply.status(status);
    return body;
  },
});
