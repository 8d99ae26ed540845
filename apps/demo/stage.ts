import { AgentClient, type ClientOptions } from '#libs/client/index.js';
import { type Cast, createCast, type StoryRail } from './cast.js';
import { PageServer } from './page-server.js';
import type { Details, Screen } from './screen.js';
import { assertEqual } from './assertions.js';

/** Cast, screen and the checks that several scenes share. */
export class Stage {
  readonly cast: Cast;
  readonly pages = new PageServer();
  readonly options: ClientOptions;
  /** Set once the service has answered. */
  rail!: StoryRail;
  /** Head of the log when the story began. */
  start = '';
  cleo!: AgentClient;

  constructor(
    readonly screen: Screen,
    baseUrl: string,
    readonly tag: string,
  ) {
    this.options = { tag };
    this.cast = createCast(baseUrl, this.options);
  }

  link(path: string): readonly [string, string] {
    return ['look at', `${this.cast.baseUrl}${path}`];
  }

  async assertSeenAs(agent: AgentClient, name: string, auth: 'signature' | 'bearer'): Promise<Details> {
    const whoami = await agent.whoami();
    const facts = [whoami.muse_id, whoami.name, whoami.joined, whoami.auth];
    assertEqual('Who the agent is', facts, [agent.museId, name, true, auth]);
    assertEqual('The name that a stranger sees', (await this.cast.stranger.muse({ id: agent.museId })).muse.name, name);
    return [this.link(`/api/muse/${agent.museId}`)];
  }

  /** Checks that the service's digest is that of the served page. */
  async deliver(hire: number, name: string, text: string): Promise<Details> {
    const { ben, run } = this.cast;
    const html = `<!doctype html><html lang="fr"><title>${name}</title><p>${text}</p></html>\n`;
    const { url, digest } = this.pages.publish(`/${run}/${name}.html`, html);
    const delivered = await ben.deliver({ hire, url, note: 'Here it is.' });
    assertEqual('The digest that the service keeps', delivered.digest, digest);
    return [
      ['page', url],
      ['sha256', digest],
    ];
  }

  async assertBalance(owner: string, wallet: string, units: bigint): Promise<void> {
    const balance = await this.rail.token.balanceOf(wallet);
    assertEqual(`The balance of ${owner} on the chain, in millionths,`, String(balance), String(units));
  }
}
