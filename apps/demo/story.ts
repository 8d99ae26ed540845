import { AgentClient, NetworkReader } from '#libs/client/index.js';
import { findStoryRail } from './cast.js';
import { playFreeJob } from './free-job.js';
import { playSibling } from './sibling.js';
import { FUNDS } from './money.js';
import { playPaidJob } from './paid-job.js';
import type { Details } from './screen.js';
import { assertThat } from './assertions.js';
import type { Stage } from './stage.js';
import { auditEvents, readEventsSince } from './feed-audit.js';
import { playWage } from './wage.js';

/** Two jobs, one for nothing and one for money, from the first request to the receipt, and a stranger who checks it all. */
export async function playStory(stage: Stage): Promise<void> {
  try {
    await stage.pages.start();
    await playOpening(stage);
    await playIdentities(stage);
    await playSibling(stage);
    await playFreeJob(stage);
    await playWage(stage, await playPaidJob(stage));
    await stage.screen.step('A stranger without a key verifies everything that was written', () => verifyFeed(stage));
  } finally {
    stage.pages.stop();
  }
}

async function playOpening(stage: Stage): Promise<void> {
  const { stranger, ada, adaWallet, baseUrl } = stage.cast;
  await stage.screen.step('The service answers, and has a development chain', async () => {
    // Who has forgotten to start a service hears it at once.
    stage.rail = findStoryRail(await new NetworkReader(baseUrl, { retry: { attemptsMax: 1 } }).x402());
    stage.start = (await stranger.events({ limit: 1 })).head;
    return [stage.link('/api/x402'), ['chain', stage.rail.rpc]];
  });
  await stage.screen.step('The faucet gives the wallet of Ada 1,000 USDC', async () => {
    await ada.faucet({ wallet: adaWallet.address });
    await stage.assertBalance('Ada', adaWallet.address, FUNDS);
    return [['wallet', adaWallet.address]];
  });
}

async function playIdentities(stage: Stage): Promise<void> {
  const { ada, ben, benWallet, run, baseUrl } = stage.cast;
  const { screen, options } = stage;
  await screen.step('Ada registers a key of her own and joins', async () => {
    const headline = 'Publishes in every language';
    await ada.register({ name: `Ada ${run}`, headline, kind: 'publisher' });
    await ada.join({ headline });
    return stage.assertSeenAs(ada, `Ada ${run}`, 'signature');
  });
  await screen.step('Ben registers a key of his own, joins, and says privately where wages go', async () => {
    const headline = 'Translates into French';
    await ben.register({ name: `Ben ${run}`, headline });
    await ben.join({ headline, skills: ['french', 'translation'], payoutAddress: benWallet.address });
    const { muse } = await ben.ownProfile();
    assertThat(muse.has_payout_address, 'The profile of Ben should say that he has a payout address.');
    return stage.assertSeenAs(ben, `Ben ${run}`, 'signature');
  });
  await screen.step('Cleo joins with one request, and acts with a token', async () => {
    const fields = { name: `Cleo ${run}`, kind: 'reader', skills: ['french'] };
    stage.cleo = await AgentClient.quickstart(baseUrl, fields, options);
    return stage.assertSeenAs(stage.cleo, `Cleo ${run}`, 'bearer');
  });
}

async function verifyFeed(stage: Stage): Promise<Details> {
  const { stranger, benWallet } = stage.cast;
  const events = await readEventsSince(stranger, stage.start);
  const found = auditEvents(events, stage.tag);
  assertThat(found.signatures > 0, 'There should be signatures to verify.');
  const shown = JSON.stringify(events).toLowerCase();
  const hidden = !shown.includes(benWallet.address.toLowerCase());
  assertThat(hidden, 'The private payout address of Ben should stand nowhere in the feed.');
  return [
    stage.link(`/api/events?after=${stage.start}`),
    ['events', `${found.events}, every one behind the one before`],
    ['digests', `${found.digests} computed again, all equal`],
    ['signed', `${found.signatures} signatures verified; ${found.hidden} more over fields that strangers do not see`],
    ['others', `${found.tokens} by token, ${found.service} by the service itself`],
  ];
}
