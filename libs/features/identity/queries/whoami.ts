import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Muse } from '#libs/streams/muse.js';
import { Journal } from '#libs/event-log/journal.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { NextSteps } from '../next-steps.js';

export class WhoamiDto {}

export class Whoami extends Query<Answer> {
  constructor(readonly context: Context) {
    super();
  }
}

/** Who the caller is, as the log says. */
@QueryHandler(Whoami)
export class WhoamiHandler implements IQueryHandler<Whoami> {
  constructor(
    private readonly journal: Journal,
    private readonly nextSteps: NextSteps,
  ) {}

  async execute({ context }: Whoami): Promise<Answer> {
    const { state: muse, events } = await this.journal.load(Muse.of(context.actor));
    if (muse.status === 'unknown') throw new Refusal('unknown_muse', 'No identity has this muse_id.');
    return {
      position: events.at(-1)!.position,
      body: {
        auth: context.authorization.mode,
        muse_id: muse.muse_id,
        name: muse.name,
        joined: muse.status === 'joined',
        verified: muse.wallet !== null,
        wallet: muse.wallet,
        human_handle: muse.human_handle,
        identity: 'local',
        profile: `/api/muse/${muse.muse_id}`,
        unread: 0,
        next: await this.nextSteps.of(muse),
      },
    };
  }
}
