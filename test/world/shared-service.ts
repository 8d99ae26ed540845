import type { Service } from '#apps/gateway/service.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { Chains } from '#libs/setup/chains.js';
import { clockOf } from '#libs/setup/file-clock.js';
import { readSettings } from '#libs/setup/settings.js';
import type { Stores } from '#libs/setup/stores.js';
import { Pages } from '../pages.js';
import { CLEAN, ServiceAudit } from './audit.js';
import { environmentOf, newFolder } from './folder.js';
import { ServiceProcess } from './service-process.js';
import { openStoresBeside } from './split-service.js';
import { orderStoryReads } from './story-fetch.js';

/** The service that files of this worker share: the bundled program, beside which its stores are open. */
export class SharedService implements Service {
  private static running: Promise<SharedService> | undefined;
  readonly metricsUrl = null;
  private readonly auditor = new ServiceAudit(this);
  private files = 0;
  /** Name of the file that uses it now. */
  private file = '';
  private endOrder: () => void = () => undefined;

  private constructor(
    readonly folder: string,
    readonly pages: Pages,
    private readonly program: ServiceProcess,
    readonly stores: Stores,
    readonly models: ReadModels,
    readonly chains: Chains,
  ) {}

  /** Returns the service for a file. */
  static async join(file: string): Promise<SharedService> {
    const service = await (SharedService.running ??= SharedService.start());
    service.files += 1;
    service.file = file;
    service.endOrder = orderStoryReads([service.url]);
    return service;
  }

  private static async start(): Promise<SharedService> {
    const folder = newFolder();
    const pages = await Pages.start();
    const environment = environmentOf(folder, pages);
    const program = await ServiceProcess.whole(folder, environment);
    program.endWithThisProcess();
    pages.unref();
    const settings = readSettings(environment);
    const { stores, models, chains } = await openStoresBeside(settings, clockOf(settings));
    const service = new SharedService(folder, pages, program, stores, models, chains);
    // The events of the start belong to no file.
    await service.audit(async () => void (await models.waitForHead()));
    return service;
  }

  /** A name that no other file uses. */
  nameOf(name: string): string {
    return `${name} ${this.files}`;
  }

  get url(): string {
    return this.program.url;
  }

  get baseUrl(): string {
    return this.url;
  }

  /** Audits the events since the audit of the last file. After a finding, the next file starts another service. */
  async audit(settle: () => Promise<void>): Promise<typeof CLEAN> {
    const result = await this.auditor.run(settle);
    const findings = Object.entries(result).filter(([name, text]) => text !== CLEAN[name as keyof typeof CLEAN]);
    if (findings.length === 0) return result;
    SharedService.running = undefined;
    return { ...result, ...Object.fromEntries(findings.map(([name, text]) => [name, `${this.file}: ${text}`])) };
  }

  async stop(): Promise<void> {
    this.endOrder();
  }
}
