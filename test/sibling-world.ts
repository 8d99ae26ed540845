import type { RawAgent, Reply } from './raw-agent.js';
import { send } from './raw-agent.js';
import { type Identity, siblingAgent, SiblingNetwork } from './sibling-network.js';
import { World, type WorldOptions } from './world.js';
import { useStarted } from './use-world.js';

export const refusalReply = (status: number, code: string) => ({ status, body: { ok: false, code } });
export const UNREACHABLE = refusalReply(502, 'sibling_unreachable');
export const whoami = (agent: RawAgent) => agent.post('whoami');

export class SiblingWorld {
  private constructor(
    readonly world: World,
    readonly network: SiblingNetwork,
  ) {}

  static async start(options: WorldOptions = {}): Promise<SiblingWorld> {
    const network = await SiblingNetwork.start();
    const settings = { ...options.settings, SIBLING_URL: network.url };
    const starting = World.start({ ...options, settings });
    await starting.catch(() => network.stop());
    return new SiblingWorld(await starting, network);
  }

  sibling(museId: string, more: Partial<Identity> = {}): RawAgent {
    const agent = siblingAgent(this.world.url, museId, () => this.world.now());
    this.network.setIdentity({ muse_id: museId, public_key: agent.publicKey, name: museId.slice(5), ...more });
    return agent;
  }

  async joined(museId: string, more: Partial<Identity> = {}): Promise<RawAgent> {
    const agent = this.sibling(museId, more);
    const { status, body } = await agent.post('join', { headline: `${museId} of a test` });
    if (status !== 200) throw new Error(`${museId} could not join: ${JSON.stringify(body)}`);
    return agent;
  }

  withToken(token: string): Promise<Reply> {
    return send(this.world.url, '/api/whoami', { body: {}, headers: { authorization: `Bearer ${token}` } });
  }

  audit() {
    return this.world.audit();
  }

  async stop(): Promise<void> {
    await this.world.stop();
    await this.network.stop();
  }
}

export const useSiblingWorld = (): SiblingWorld => useStarted(() => SiblingWorld.start());
