import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReadModels } from '#libs/documents/read-models.js';
import { Issuer } from '#libs/issuer/issuer.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { rule } from '#libs/kernel/refusal.js';
import { applicationKey, Applications } from '#libs/views/applications.js';
import { type HireDocument, Hires } from '#libs/views/hires.js';
import { Roles } from '#libs/views/roles.js';
import { DriftChecker } from '../drift-checker.js';
import { applicationPayload, hirePayload } from '../payloads.js';

/** How long a record waits for the read model to contain the change that its own comparison has just written. */
const OWN_CHANGE_MS = SECOND_MS;

export class ShowHireRecord extends Query<JsonObject> {
  constructor(readonly hire: string) {
    super();
  }
}

/** The signed record of a hire, and whether its delivery is still what was delivered. */
@QueryHandler(ShowHireRecord)
export class ShowHireRecordHandler implements IQueryHandler<ShowHireRecord> {
  constructor(
    private readonly models: ReadModels,
    private readonly issuer: Issuer,
    private readonly drift: DriftChecker,
  ) {}

  async execute({ hire }: ShowHireRecord): Promise<JsonObject> {
    const before = await this.find(hire);
    const { live, changed } = await this.drift.live(before);
    const behind = live.matches !== null && live.matches !== (before.drift === null);
    const document = changed || behind ? await this.afterChange(hire, before) : before;
    const role = await this.models.of(Roles).get(document.role);
    const application = await this.models.of(Applications).get(applicationKey(document.role, document.worker));
    const record = await this.issuer.sign(hirePayload(document, role?.body.title ?? null, application?.body));
    return { record, live: { ...live } };
  }

  private async find(hire: string): Promise<HireDocument> {
    const found = await this.models.of(Hires).get(hire);
    rule(found !== undefined, 'not_found', 'There is no such hire.');
    return found.body;
  }

  private async afterChange(hire: string, before: HireDocument): Promise<HireDocument> {
    await this.models.reachHead(OWN_CHANGE_MS);
    return (await this.models.of(Hires).get(hire))?.body ?? before;
  }
}

export class ShowApplicationRecord extends Query<JsonObject> {
  constructor(readonly key: string) {
    super();
  }
}

/** The signed record of an application: `<role>:<muse_id>`. */
@QueryHandler(ShowApplicationRecord)
export class ShowApplicationRecordHandler implements IQueryHandler<ShowApplicationRecord> {
  constructor(
    private readonly models: ReadModels,
    private readonly issuer: Issuer,
  ) {}

  async execute({ key }: ShowApplicationRecord): Promise<JsonObject> {
    const found = await this.models.of(Applications).get(key);
    rule(found !== undefined, 'not_found', 'There is no such application.');
    const role = await this.models.of(Roles).get(found.body.role);
    const record = await this.issuer.sign(applicationPayload(found.body, role?.body.title ?? null));
    return { record, live: { matches: null, checked_at: null } };
  }
}
