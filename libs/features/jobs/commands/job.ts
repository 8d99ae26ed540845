import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Job, JobPosted } from '#libs/streams/job.js';
import { Muse } from '#libs/streams/muse.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';
import { validate } from '#libs/http/validate.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { IdTaken, sha256Hex, withFreeId } from '#libs/kernel/ids.js';
import { rule } from '#libs/kernel/refusal.js';
import { parseSkills } from '#libs/kernel/skills.js';
import { Payments } from '#libs/payments/payments.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import type { Effect, PaidRequest, Purchase, Settled } from '#libs/payments/purchase.js';
import { canonicalJson } from '#libs/signing/canonical-json.js';
import { expiryOf, type Fee, feeOf, PostJobDto } from '../job-terms.js';

export class PostJob extends Command<Answer> {
  constructor(
    readonly dto: PostJobDto,
    readonly context: Context,
    readonly paid: PaidRequest,
  ) {
    super();
  }
}

export interface NewJob {
  readonly role: string;
  readonly fee: Fee | null;
  /** The payment of the fee. */
  readonly payment: string | null;
}

export function postJob(job: Job, dto: PostJobDto, context: Context, { role, fee, payment }: NewJob): Fact[] {
  if (job.status !== 'unknown') throw new IdTaken();
  return [
    JobPosted({
      role,
      item: context.integers.item('job', context.requestKey),
      poster: context.actor,
      title: dto.title.trim(),
      summary: dto.summary.trim(),
      done: dto.done.trim(),
      trial: dto.trial || null,
      terms: dto.terms || null,
      skills: parseSkills(dto.skills ?? '').skills,
      seats: Number(dto.seats || '1'),
      budget: fee?.budget ?? null,
      payment,
      project: dto.project || null,
      again_of: dto.again_of || null,
      expires_at: expiryOf(dto.expires_at, context.at),
    }),
  ];
}

/** Writes `JobPosted` under a slug derived from the request. */
export async function openJob(
  journal: Journal,
  dto: PostJobDto,
  context: Context,
  fee: Fee | null,
  payment: string | null,
) {
  return withFreeId(async counter => {
    const role = `job-${context.integers.id('job', context.requestKey, counter)}`;
    const { position } = await carryOut(journal, context, {
      writes: Job.of(role),
      decide: job => postJob(job, dto, context, { role, fee, payment }),
    });
    return { position, body: { role, url: `/api/role/${role}` } };
  });
}

@CommandHandler(PostJob)
export class PostJobHandler implements ICommandHandler<PostJob> {
  constructor(
    private readonly journal: Journal,
    private readonly payments: Payments,
    private readonly settings: PaymentSettings,
  ) {}

  async execute({ dto, context, paid }: PostJob): Promise<Answer> {
    const fee = feeOf(dto, this.settings.rails);
    if (fee) return this.payments.buy(paid, () => this.purchase(dto, context, fee));
    expiryOf(dto.expires_at, context.at);
    await this.checkNamed(dto);
    const { body, position } = await openJob(this.journal, dto, context, null, null);
    return { position, body: { ...body, paid: false } };
  }

  private async purchase(dto: PostJobDto, { actor, at }: Context, fee: Fee): Promise<Purchase> {
    expiryOf(dto.expires_at, at);
    await this.checkNamed(dto);
    const purchased = sha256Hex(canonicalJson({ muse: actor, ...dto }));
    return {
      ...feePrice(fee, this.settings.serviceWallet),
      things: [{ kind: 'purchase', value: `job/${purchased}` }],
      owner: Muse.named(actor),
      subject: {},
    };
  }

  /** What the job refers to must be there. */
  private async checkNamed({ again_of, project }: PostJobDto): Promise<void> {
    rule(!project, 'not_found', 'There is no such project.', { field: 'project' });
    if (!again_of) return;
    const { state } = await this.journal.load(Job.of(again_of));
    rule(state.status !== 'unknown', 'not_found', 'There is no such role.', { field: 'again_of' });
  }
}

/** The fee as it is offered. */
export const feePrice = ({ amount, rail, budget }: Fee, payTo: string) => ({
  path: '/api/job',
  description: `The 5 % fee of a job that pays ${budget.usd} ${budget.token} for each seat`,
  amount,
  payTo,
  rails: [rail],
});

/** Posts a job whose fee has been paid. */
@Injectable()
export class JobEffect implements Effect {
  readonly endpoint = 'job';

  constructor(
    private readonly journal: Journal,
    private readonly settings: PaymentSettings,
  ) {}

  async apply({ accepted }: Settled, context: Context) {
    // The texts were erased while the payment was under way: there is nothing left to post.
    if (accepted.data.fields === null) return { outcome: 'void', reason: 'forgotten' } as const;
    await this.post(accepted, context);
    return { outcome: 'applied' } as const;
  }

  async answer({ accepted }: Settled, context: Context): Promise<Answer> {
    return this.post(accepted, context);
  }

  private post({ data }: Settled['accepted'], context: Context): Promise<Answer> {
    const { dto } = validate(PostJobDto, data.fields ?? {});
    return openJob(this.journal, dto, context, feeOf(dto, this.settings.rails), data.payment);
  }
}
