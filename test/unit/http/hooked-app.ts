import type { FastifyError, FastifyInstance } from 'fastify';
import { systemClock } from '#libs/kernel/clock.js';
import { addHooks, type HookDependencies } from '#libs/http/hooks.js';
import { CallerAddresses } from '#libs/http/limiting/caller-addresses.js';
import { RequestMeter } from '#libs/http/request-meter.js';
import { RouteIndex } from '#libs/http/route-index.js';
import { sendFailure } from '#libs/http/send-failure.js';
import { StartupGate } from '#libs/http/startup-gate.js';

const HTML = { 'content-type': 'text/html; charset=utf-8' };

type Parts = Pick<HookDependencies, 'models' | 'outages' | 'pipeline'> & Partial<HookDependencies>;

/** Adds the hooks and the error handler of the service to an application without limits. */
export async function addServiceHooks(app: FastifyInstance, parts: Parts): Promise<void> {
  const startupGate = new StartupGate();
  startupGate.open();
  await addHooks(app, {
    limiting: null,
    isAlone: false,
    startupGate,
    clock: systemClock,
    callers: new CallerAddresses(new Uint8Array(32), systemClock),
    address: { baseUrl: 'https://jobs.example' },
    htmlPresenter: { failure: ({ body }) => ({ text: JSON.stringify(body), headers: HTML }), headers: () => HTML },
    countRead: () => undefined,
    isBeyondEnd: async () => false,
    meter: new RequestMeter(),
    routing: new RouteIndex(),
    ...parts,
  });
  app.setErrorHandler((error: FastifyError, request, reply) => sendFailure(error, request, reply));
}
