import { isKnownMuse, Muse } from '#libs/domain/muse.js';
import type { OwnerRequest } from '#libs/domain/token-scope.js';
import { defineServiceCommand, type ServiceCommands } from '#libs/endpoints/service-commands.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { OwnerAsked, OwnerRequests } from './domain/owner-requests.js';

export const askOwner = defineServiceCommand('ask-owner', {
  reason: 'a token with limits was refused a command',
  events: [OwnerAsked],
  causes: ['owner-asked/<muse_id>/<account>/<command>/<day>'],
  writes: ({ muse_id }: OwnerRequest) => OwnerRequests.source(muse_id),
  reads: ({ muse_id }) => ({ muse: Muse.source(muse_id) }),
  decide(_requests, { muse }, { muse_id, account, command, usd }) {
    const limits = isKnownMuse(muse) ? [...(muse.tokenLimits ?? [])] : [];
    const isKnown = limits.some(([, each]) => each.account === account);
    return isKnown ? [OwnerAsked({ muse_id, account, command, usd })] : [];
  },
});

/** Tells the owner of a token about a refused command, at most once a day. */
export async function recordOwnerRequest(commands: ServiceCommands, request: OwnerRequest): Promise<void> {
  const day = Math.floor(commands.clock.now() / DAY_MS);
  const { muse_id, account, command } = request;
  await commands.execute(askOwner, request, { cause: `owner-asked/${muse_id}/${account}/${command}/${day}` });
}
