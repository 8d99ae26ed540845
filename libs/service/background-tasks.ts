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

const PASSES = [
  { name: 'expired jobs', everyMs: 15 * SECOND_MS, of: JobExpiry },
  { name: 'deadlines', everyMs: 5 * SECOND_MS, of: DeadlineClock },
  { name: 'pay terms', everyMs: 5 * SECOND_MS, of: PayClock },
  { name: 'escrows', everyMs: 5 * SECOND_MS, of: EscrowClock },
  { name: 'recoveries', everyMs: 5 * SECOND_MS, of: RecoveryClock },
  { name: 'unreadable deliveries', everyMs: 2 * SECOND_MS, of: UnreadableDeliveries },
] as const;

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
  const stopChores = startChores(createChores(app, core), core.log);
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

const createChores = (app: INestApplicationContext, { dueEveryMs }: Core): Chore[] =>
  PASSES.map(({ of, name, everyMs }) => {
    const task = app.get<{ pass(): Promise<void> }>(of, { strict: false });
    return { name, everyMs: dueEveryMs ?? everyMs, run: () => task.pass() };
  });
