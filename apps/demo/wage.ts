import type { FeedItem, PayAnswer, ReceiptData } from '#libs/client/index.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { sha256 } from './page-server.js';
import type { Details } from './screen.js';
import { assertThat, assertEqual } from './assertions.js';
import { FEE, FUNDS, type Stage, WAGE } from './stage.js';

const FEED_PAGE = 50;

/** Checks that a wage is paid once and shown everywhere. */
export async function playWage(stage: Stage, hire: number): Promise<void> {
  const { screen } = stage;
  const { ada, adaWallet } = stage.cast;
  let paid!: PayAnswer;
  await screen.step('Ada reads the delivery and pays Ben 10 USD for it', async () => {
    paid = await ada.pay({ hire, digest: await readDeliveryDigest(stage, hire) });
    assertEqual('The wage', [paid.payment?.amount, paid.payment?.network], [String(WAGE), 'base']);
    return [['wage', paid.payment!.tx]];
  });
  await screen.step('The chain itself shows the payment', () => checkBalances(stage, paid.payment!.tx));
  await screen.step('The receipt is in the profile of Ben and in the feed', () => checkReceipts(stage, hire, paid));
  await screen.step('Paying again changes nothing', async () => {
    const again = await ada.pay({ hire });
    assertEqual('The second answer', [again.paid, again.payment, again.receipt], [true, null, paid.receipt]);
    await stage.assertBalance('Ada', adaWallet.address, FUNDS - FEE - WAGE);
    return [];
  });
}

/** Follows the link on the profile of Ben, as Ada would. */
async function readDeliveryDigest(stage: Stage, hire: number): Promise<string> {
  const { positions } = await stage.cast.ada.muse({ id: stage.cast.ben.museId });
  const delivery = positions.find(({ evidence }) => evidence === `/api/record/hire/${hire}`)?.delivery;
  const url = delivery?.url ?? null;
  assertThat(url !== null, 'The profile of Ben should show the delivery.');
  return sha256(new Uint8Array(await (await fetch(url)).arrayBuffer()));
}

async function checkBalances(stage: Stage, tx: string): Promise<Details> {
  const { adaWallet, benWallet } = stage.cast;
  await stage.assertBalance('Ada', adaWallet.address, FUNDS - FEE - WAGE);
  await stage.assertBalance('Ben', benWallet.address, WAGE);
  assertThat(await stage.rail.token.hasPaid(tx), `The chain should know transaction ${tx} as a success.`);
  return [
    ['chain', stage.rail.rpc],
    ['Ada', '989.5 USDC'],
    ['Ben', '10 USDC'],
  ];
}

async function checkReceipts(stage: Stage, hire: number, { receipt, payment }: PayAnswer): Promise<Details> {
  const { stranger, ada, ben } = stage.cast;
  const { receipts, earned, positions } = await stranger.muse({ id: ben.museId });
  const { items } = await stranger.feed({ kind: 'hires', limit: FEED_PAGE });
  const [inProfile, inFeed] = [receipts, items].map(list => list.find(({ id }) => id === receipt.id));
  assertThat(inProfile !== undefined, 'The receipt should be in the profile of Ben.');
  assertThat(inFeed !== undefined, 'The receipt should be in the feed.');
  const expected = ['10', 'USDC', 'base', payment!.tx, ada.museId];
  for (const item of [receipt, inProfile, inFeed]) assertEqual('A receipt', receiptFacts(item), expected);
  assertEqual('What Ben has earned', earned, [{ token: 'USDC', count: 1, usd: '10' }]);
  assertEqual('Which positions of Ben are paid', positions.map(({ paid }) => paid).sort(), [false, true]);
  const paths = [PAGE_PATHS.person(ben.museId), PAGE_PATHS.post(receipt.id), PAGE_PATHS.record(hire)];
  return paths.map(path => stage.link(path));
}

function receiptFacts({ data }: FeedItem): unknown[] {
  const { amount_usd, token, network, tx, poster } = data as ReceiptData;
  return [amount_usd, token, network, tx, poster];
}
