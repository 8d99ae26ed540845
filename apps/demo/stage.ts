import { AgentClient, type ClientOptions, SeenPositions } from '#libs/client/index.js';
import { type Cast, createCast, type StoryRail } from './cast.js';
import { PageServer } from './page-server.js';
import type { Details, Screen } from './screen.js';
import { assertEqual } from './assertions.js';

/** What every scene needs: who plays, where it is printed, and the checks that come again and again. */
export class Stage {
  readonly cast: Cast;
  readonly pages = new PageServer();
  /** One memory of positions for all: each sees what the others have written. */
  readonly options: ClientOptions;
  /** Known once the service has answered. */
  rail!: StoryRail;
  /** Where the log ended when the story began. */
  start = '';
  cleo!: AgentClient;

  constructor(
    readonly screen: Screen,
    baseUrl: string,
    readonly tag: string,
  ) {
    this.options = { seen: new SeenPositions(), tag };
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

  /** Ben delivers a page of his own; what the service read there is what he serves. */
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

  async assertBalance(who: string, wallet: string, units: bigint): Promise<void> {
    const balance = await this.rail.token.balanceOf(wallet);
    assertEqual(`The balance of ${who} on the chain, in millionths,`, String(balance), String(units));
  }
}
