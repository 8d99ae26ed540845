import type { INestApplicationContext } from '@nestjs/common';
import { showProgress } from '#libs/documents/filling/progress-display.js';
import { Projector } from '#libs/documents/projector.js';
import { type Reaction, ReactionRunner } from '#libs/documents/reaction-runner.js';
import { DeadlineClock } from '#libs/features/hires/deadline-clock.js';
import { PayClock } from '#libs/features/hires/pay-clock.js';
import { EscrowClock } from '#libs/features/hires/escrow-clock.js';
import { JobExpiry } from '#libs/features/jobs/job-expiry.js';
import { RecoveryClock } from '#libs/features/recovery/recovery-clock.js';
import { UnreadableDeliveries } from '#libs/features/deliveries/unreadable-deliveries.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { type Chore, startChores } from '#libs/setup/process/chores.js';
import { ReactionRegistry } from '#libs/endpoints/registries.js';
import { WebhookMatcher } from '#libs/features/webhooks/webhook-matcher.js';
import { WebhookDeliverer } from '#libs/features/webhooks/deliverer.js';
import { DeliveryBatch } from '#libs/features/webhooks/delivery-batch.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import type { Core } from './core.js';

const EXPIRY_MS = 15 * SECOND_MS;
const DEADLINES_MS = 5 * SECOND_MS;
const PAY_TERMS_MS = 5 * SECOND_MS;
const ESCROWS_MS = 5 * SECOND_MS;
const RECOVERIES_MS = 5 * SECOND_MS;
/** Polling interval for unreadable deliveries that are due for a retry. */
const RETRIES_MS = 2 * SECOND_MS;

export interface BackgroundTask {
  stop(): Promise<void>;
}

/** Keeps the documents current, or waits as a standby. */
export async function startProjections({ stores, clock, models, log, holder, opening }: Core): Promise<Projector> {
  const parts = { journal: stores.journal, store: stores.documents, clock, models, log, holder };
  const projector = new Projector({ ...parts, projections: PROJECTIONS });
  const filling = showProgress(log, opening);
  await projector.start(filling.onProgress);
  filling.end();
  return projector;
}

/**
 * A reaction runs in one process at a time, under its lease. Timed tasks may run in any number of processes, as each
 * effect happens once.
 */
export function startReactions(core: Core, app: INestApplicationContext): BackgroundTask {
  const runners = app.get(ReactionRegistry).all.map(each => createRunner(each, core));
  runners.forEach(runner => runner.start());
  const stopChores = startChores(createChores(app), core.log);
  const webhooks = startWebhooks(core, app);
  return {
    stop: async () => {
      await Promise.all([webhooks.stop(), stopChores(), ...runners.map(runner => runner.stop())]);
    },
  };
}

function createRunner(reaction: Reaction, { stores, clock, log, metrics, holder }: Core): ReactionRunner {
  const parts = { journal: stores.journal, store: stores.documents, clock, log, holder };
  return new ReactionRunner(metrics?.withReactionCounters(reaction) ?? reaction, parts);
}

function startWebhooks(
  { stores, models, clock, log, holder, metrics }: Core,
  app: INestApplicationContext,
): BackgroundTask {
  const matcher = app.get(WebhookMatcher, { strict: false });
  const batch = app.get(DeliveryBatch, { strict: false });
  const parts = { store: stores.documents, eventLog: stores.log, models, clock, matcher, batch, log, holder };
  const onOutcome = metrics?.countWebhook;
  const deliverer = new WebhookDeliverer({ ...parts, ...(onOutcome && { onOutcome }) });
  deliverer.start();
  return deliverer;
}

function createChores(app: INestApplicationContext): Chore[] {
  const expiry = app.get(JobExpiry, { strict: false });
  const deadlines = app.get(DeadlineClock, { strict: false });
  const payTerms = app.get(PayClock, { strict: false });
  const escrows = app.get(EscrowClock, { strict: false });
  const recoveries = app.get(RecoveryClock, { strict: false });
  const unreadable = app.get(UnreadableDeliveries, { strict: false });
  return [
    { name: 'expired jobs', everyMs: EXPIRY_MS, run: () => expiry.pass() },
    { name: 'deadlines', everyMs: DEADLINES_MS, run: () => deadlines.pass() },
    { name: 'pay terms', everyMs: PAY_TERMS_MS, run: () => payTerms.pass() },
    { name: 'escrows', everyMs: ESCROWS_MS, run: () => escrows.pass() },
    { name: 'recoveries', everyMs: RECOVERIES_MS, run: () => recoveries.pass() },
    { name: 'unreadable deliveries', everyMs: RETRIES_MS, run: () => unreadable.pass() },
  ];
}
