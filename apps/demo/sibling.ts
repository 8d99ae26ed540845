import { AgentClient, ApiError } from '#libs/client/index.js';
import { assertEqual } from './assertions.js';
import type { Stage } from './stage.js';

/** Codes of a service that does not look up identities at the demo's pages. */
const NO_LOOK_UP_CODES = new Set(['unknown_muse', 'sibling_unreachable']);

/**
 * Plays an agent of a sibling network. The demo's pages are that network, so this only runs against a service with
 * `SIBLING_URL=http://127.0.0.1:4321`.
 */
export async function playSibling(stage: Stage): Promise<void> {
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
