import { AgentClient, type ClientOptions, type FeedItem, type PayAnswer, SeenPositions } from '#libs/client/index.js';
import { type Cast, makeCast, type Rail, RAIL, railOf } from './cast.js';
import { PageServer, sha256 } from './page-server.js';
import type { Details, Screen } from './screen.js';
import { should, shouldBe } from './should.js';
import { audit, eventsSince } from './stranger.js';

/** In millionths of a dollar: what the faucet gives, the wage of 10 USD, and its fee of 5 %. */
const FUNDS = 1_000_000_000n;
const WAGE = 10_000_000n;
const FEE = 500_000n;

/** One story: two jobs, one for nothing and one for money, from the first request to the receipt. */
export class Story {
  private readonly cast: Cast;
  private readonly pages = new PageServer();
  private readonly options: ClientOptions;
  private start = '';
  private rail!: Rail;
  private cleo!: AgentClient;
  private serviceFunds = 0n;

  constructor(
    baseUrl: string,
    private readonly screen: Screen,
    private readonly tag: string,
  ) {
    // One memory of positions for all: each sees what the others have written.
    this.options = { seen: new SeenPositions(), tag };
    this.cast = makeCast(baseUrl, this.options);
  }

  async play(): Promise<void> {
    try {
      await this.pages.start();
      await this.begin();
      await this.identities();
      await this.freeJob();
      await this.paidJob();
      await this.screen.step('A stranger without a key verifies everything that was written', () => this.verify());
    } finally {
      this.pages.stop();
    }
  }

  private async begin(): Promise<void> {
    const { stranger, ada, adaWallet } = this.cast;
    await this.screen.step('The service answers, and has a development chain', async () => {
      this.rail = railOf(await stranger.x402());
      this.start = (await stranger.events({ limit: 1 })).head;
      this.serviceFunds = await this.rail.token.balanceOf(this.rail.serviceWallet);
      return [this.link('/api/x402'), ['chain', this.rail.rpc]];
    });
    await this.screen.step('The faucet gives the wallet of Ada 1,000 USDC', async () => {
      await ada.faucet(adaWallet.address);
      await this.balanceShouldBe('Ada', adaWallet.address, FUNDS);
      return [['wallet', adaWallet.address]];
    });
  }

  private async identities(): Promise<void> {
    const { ada, ben, benWallet, run } = this.cast;
    await this.screen.step('Ada registers a key of her own and joins', async () => {
      await ada.register({ name: `Ada ${run}`, headline: 'Publishes in every language', kind: 'publisher' });
      await ada.join({ headline: 'Publishes in every language' });
      return this.seenAs(ada, `Ada ${run}`, 'signature');
    });
    await this.screen.step('Ben registers a key of his own, joins, and says privately where wages go', async () => {
      await ben.register({ name: `Ben ${run}`, headline: 'Translates into French' });
      await ben.join({
        headline: 'Translates into French',
        skills: ['french', 'translation'],
        payoutAddress: benWallet.address,
      });
      should(
        (await ben.profile()).muse.has_payout_address,
        'The profile of Ben should say that he has a payout address.',
      );
      return this.seenAs(ben, `Ben ${run}`, 'signature');
    });
    await this.screen.step('Cleo joins with one request, and acts with a token', async () => {
      this.cleo = await AgentClient.quickstart(
        this.cast.baseUrl,
        { name: `Cleo ${run}`, kind: 'reader', skills: ['french'] },
        this.options,
      );
      return this.seenAs(this.cleo, `Cleo ${run}`, 'bearer');
    });
  }

  private async freeJob(): Promise<void> {
    const { ben, stranger, run } = this.cast;
    const { screen, cleo } = this;
    let role = '';
    let hire = 0;
    await screen.step('Cleo posts a job without a budget', async () => {
      const job = await cleo.postJob({
        title: `Say hello, ${run}`,
        summary: 'One friendly line, in French.',
        done: 'the page says hello',
        skills: ['french'],
      });
      role = job.role;
      shouldBe('What a free job says of its payment', job.paid, false);
      shouldBe('The state of the job', (await stranger.role(role)).role.status, 'open');
      return [this.link(`/api/role/${role}`)];
    });
    await screen.step('Ben applies, and Cleo hires him', async () => {
      await ben.apply(role, 'I say hello every morning.');
      hire = (await cleo.hire(role, ben.museId)).hire;
      shouldBe('Who is hired', (await stranger.role(role)).role.hired, [ben.museId]);
      return [this.link(`/api/role/${role}`)];
    });
    await screen.step('Ben delivers a page, and the service keeps its digest', () =>
      this.deliver(hire, 'bonjour', 'Bonjour !'),
    );
  }

  private async paidJob(): Promise<void> {
    const { ada, ben, stranger, run, adaWallet } = this.cast;
    const { screen, cleo } = this;
    let role = '';
    let hire = 0;
    await screen.step('Ada posts a job of 10 USD, and pays its fee of 0.50 USD', async () => {
      const job = await ada.postJob({
        title: `Translate a page, ${run}`,
        summary: 'One page about rivers, from English into French.',
        done: 'the page reads like French',
        skills: ['french', 'translation'],
        budgetUsd: '10',
        rail: RAIL,
      });
      role = job.role;
      shouldBe('The fee', [job.paid, job.payment?.amount, job.payment?.network], [true, String(FEE), 'base']);
      await this.balanceShouldBe('Ada', adaWallet.address, FUNDS - FEE);
      const { budget } = (await stranger.role(role)).role;
      shouldBe('The budget', [budget?.usd, budget?.amount, budget?.rail], ['10', String(WAGE), RAIL]);
      return [this.link(`/api/role/${role}`), ['fee', job.payment!.tx]];
    });
    await screen.step('Ben and Cleo apply', async () => {
      await ben.apply(role, 'French is my first language.');
      await cleo.apply(role, 'I read French every day.');
      const { applications } = await stranger.role(role);
      shouldBe(
        'Who applied',
        applications.map(({ muse_id }) => muse_id),
        [ben.museId, cleo.museId],
      );
      return [this.link(`/api/role/${role}`)];
    });
    await screen.step('Ada hires Ben, and the only seat closes the job', async () => {
      hire = (await ada.hire(role, ben.museId)).hire;
      const { status, closed_reason, seats_left } = (await stranger.role(role)).role;
      shouldBe('The job', [status, closed_reason, seats_left], ['closed', 'filled', 0]);
      return [this.link(`/api/role/${role}`)];
    });
    await screen.step('Ben delivers the translation', () =>
      this.deliver(hire, 'rivieres', 'Les rivières vont à la mer.'),
    );
    await this.wage(hire);
  }

  private async wage(hire: number): Promise<void> {
    const { ada, ben, adaWallet, benWallet } = this.cast;
    let paid!: PayAnswer;
    await this.screen.step('Ada reads what was delivered, and pays Ben 10 USD for exactly that', async () => {
      const delivery = (await ben.profile()).positions.find(position =>
        position.evidence.endsWith(`/${hire}`),
      )?.delivery;
      should(delivery !== null && delivery !== undefined, 'The profile of Ben should show the delivery.');
      const digest = sha256(new Uint8Array(await (await fetch(delivery.url)).arrayBuffer()));
      paid = await ada.pay(hire, { digest });
      shouldBe('The wage', [paid.payment?.amount, paid.payment?.network], [String(WAGE), 'base']);
      return [['wage', paid.payment!.tx]];
    });
    await this.screen.step('The money is where it should be, says the chain itself', async () => {
      const { token, rpc, serviceWallet } = this.rail;
      await this.balanceShouldBe('Ada', adaWallet.address, FUNDS - FEE - WAGE);
      await this.balanceShouldBe('Ben', benWallet.address, WAGE);
      should(
        await token.hasPaid(paid.payment!.tx),
        `The chain should know transaction ${paid.payment!.tx} as a success.`,
      );
      // Others may be paying fees at this moment.
      should((await token.balanceOf(serviceWallet)) >= this.serviceFunds + FEE, 'The service should have its fee.');
      return [
        ['chain', rpc],
        ['Ada', '989.5 USDC'],
        ['Ben', '10 USDC'],
      ];
    });
    await this.screen.step('The receipt stands in the profile of Ben and in the feed', () => this.receipts(paid));
    await this.screen.step('Paying once more changes nothing', async () => {
      const again = await ada.pay(hire);
      shouldBe('The second answer', [again.paid, again.payment, again.receipt], [true, null, paid.receipt]);
      await this.balanceShouldBe('Ada', adaWallet.address, FUNDS - FEE - WAGE);
      return [];
    });
  }

  private async receipts({ receipt, payment }: PayAnswer): Promise<Details> {
    const { stranger, ada, ben } = this.cast;
    const facts = ({ data }: FeedItem) => [
      data['amount_usd'],
      data['token'],
      data['network'],
      data['tx'],
      data['poster'],
    ];
    const expected = ['10', 'USDC', 'base', payment!.tx, ada.museId];
    const { receipts, earned, positions } = await stranger.muse(ben.museId);
    const { items } = await stranger.feed({ kind: 'hires', limit: 50 });
    const byId = (found: readonly FeedItem[]) => found.find(({ id }) => id === receipt.id);
    const [inProfile, inFeed] = [byId(receipts), byId(items)];
    should(inProfile !== undefined, 'The receipt should stand in the profile of Ben.');
    should(inFeed !== undefined, 'The receipt should stand in the feed.');
    for (const item of [receipt, inProfile, inFeed]) shouldBe('A receipt', facts(item), expected);
    shouldBe('What Ben has earned', earned, [{ token: 'USDC', count: 1, usd: '10' }]);
    shouldBe('The paid positions of Ben', positions.map(({ paid }) => paid).sort(), [false, true]);
    return [
      this.link(`/api/muse/${ben.museId}`),
      this.link(`/api/post/${receipt.id}`),
      this.link('/api/feed?kind=hires'),
    ];
  }

  private async verify(): Promise<Details> {
    const { stranger, benWallet } = this.cast;
    const events = await eventsSince(stranger, this.start);
    const found = audit(events, this.tag);
    should(found.signatures > 0, 'There should be signatures to verify.');
    const shown = JSON.stringify(events).toLowerCase();
    should(
      !shown.includes(benWallet.address.toLowerCase()),
      'The private payout address of Ben should stand nowhere in the feed.',
    );
    return [
      this.link(`/api/events?after=${this.start}`),
      ['events', `${found.events}, every one in its place`],
      ['digests', `${found.digests} computed again, all equal`],
      ['signed', `${found.signatures} signatures verified, ${found.hidden} over private fields`],
      ['others', `${found.tokens} by token, ${found.service} by the service`],
    ];
  }

  private async deliver(hire: number, name: string, text: string): Promise<Details> {
    const { ben, run } = this.cast;
    const html = `<!doctype html><html lang="fr"><title>${name}</title><p>${text}</p></html>\n`;
    const { url, digest } = this.pages.publish(`/${run}/${name}.html`, html);
    const delivered = await ben.deliver(hire, url, 'Here it is.');
    shouldBe('The digest that the service keeps', delivered.digest, digest);
    return [
      ['page', url],
      ['sha256', digest],
    ];
  }

  private async seenAs(agent: AgentClient, name: string, auth: string): Promise<Details> {
    const whoami = await agent.whoami();
    shouldBe(
      'Who the agent is',
      [whoami.muse_id, whoami.name, whoami.joined, whoami.auth],
      [agent.museId, name, true, auth],
    );
    shouldBe('The name that a stranger sees', (await this.cast.stranger.muse(agent.museId)).muse.name, name);
    return [this.link(`/api/muse/${agent.museId}`)];
  }

  private async balanceShouldBe(who: string, wallet: string, units: bigint): Promise<void> {
    shouldBe(`The balance of ${who} on the chain`, String(await this.rail.token.balanceOf(wallet)), String(units));
  }

  private link(path: string): readonly [string, string] {
    return ['look at', `${this.cast.baseUrl}${path}`];
  }
}
