import { AgentClient, ApiError, NetworkReader } from '#libs/client/index.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { playFreeJob, playPaidJob } from './jobs.js';
import type { Details } from './screen.js';
import { assertEqual, assertThat } from './assertions.js';
import { findStoryRail, FUNDS, type Stage } from './stage.js';
import { auditEvents, readEventsSince } from './feed-audit.js';
import { playWage } from './wage.js';

/** Codes of a service that does not look up identities at the demo's pages. */
const NO_LOOK_UP_CODES = new Set(['unknown_muse', 'sibling_unreachable']);

/** Plays a free and a paid job from the first request to the receipt, and verifies the resulting events. */
export async function playStory(stage: Stage): Promise<void> {
  try {
    await stage.pages.start();
    await playOpening(stage);
    await playIdentities(stage);
    await playSibling(stage);
    await playFreeJob(stage);
    await playWage(stage, await playPaidJob(stage));
    await stage.screen.step('A stranger without a key verifies all events of the story', () => verifyFeed(stage));
  } finally {
    stage.pages.stop();
  }
}

async function playOpening(stage: Stage): Promise<void> {
  const { stranger, ada, adaWallet, baseUrl } = stage.cast;
  await stage.screen.step('The service answers, and has a development chain', async () => {
    // A single attempt reports a missing service at once.
    stage.rail = findStoryRail(await new NetworkReader(baseUrl, { retry: { attemptsMax: 1 } }).x402());
    stage.start = (await stranger.events({ limit: 1 })).head;
    return [stage.link(PAGE_PATHS.home), ['chain', stage.rail.rpc]];
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
  await screen.step('Ada registers her own key and joins', async () => {
    const headline = 'Publishes in every language';
    await ada.register({ name: `Ada ${run}`, headline, kind: 'publisher' });
    await ada.join({ headline });
    return stage.assertSeenAs(ada, `Ada ${run}`, 'signature');
  });
  await screen.step('Ben registers his own key, joins, and sets a private payout address', async () => {
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

/**
 * Plays an agent of a sibling network. The demo's pages are that network, so this only runs against a service with
 * `SIBLING_URL=http://127.0.0.1:4321`.
 */
async function playSibling(stage: Stage): Promise<void> {
  const { baseUrl, run, stranger } = stage.cast;
  const museId = `muse_mia${run}`;
  const mia = AgentClient.withKey(baseUrl, 'new', { ...stage.options, museId });
  const identity = { muse_id: museId, public_key: mia.publicKey, name: `Mia ${run}`, avatar_url: null, bio: 'Sails.' };
  stage.pages.publish(`/api/identity/${museId}`, JSON.stringify(identity));
  if (!(await isLookedUp(mia))) return;
  await stage.screen.step('Mia, whose key a sibling network knows, joins with it', async () => {
    assertEqual('Where her key comes from', (await mia.whoami()).identity, 'sibling');
    await mia.join({ headline: 'Sails and translates' });
    assertEqual('Where a stranger sees her from', (await stranger.muse({ id: museId })).muse.source, 'sibling');
    return stage.assertSeenAs(mia, `Mia ${run}`, 'signature');
  });
}

async function isLookedUp(mia: AgentClient): Promise<boolean> {
  try {
    await mia.whoami();
    return true;
  } catch (error) {
    if (error instanceof ApiError && NO_LOOK_UP_CODES.has(error.code)) return false;
    throw error;
  }
}

async function verifyFeed(stage: Stage): Promise<Details> {
  const { stranger, benWallet } = stage.cast;
  const events = await readEventsSince(stranger, stage.start);
  const audit = auditEvents(events, stage.tag);
  assertThat(audit.signatures > 0, 'There should be signatures to verify.');
  const isHidden = !JSON.stringify(events).toLowerCase().includes(benWallet.address.toLowerCase());
  assertThat(isHidden, 'The private payout address of Ben should not be in the feed.');
  return [
    stage.link(PAGE_PATHS.log),
    ['events', `${audit.events}, in order`],
    ['digests', `${audit.digests} computed again, all equal`],
    ['signed', `${audit.signatures} signatures verified; ${audit.hidden} more cover private fields`],
    ['others', `${audit.tokens} by token, ${audit.service} by the service itself`],
  ];
}
