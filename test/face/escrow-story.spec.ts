import { expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import { smartPayer } from '../smart-wallet.js';
import { waitUntil } from '../wait-until.js';
import { deliver, escrowText, expectTidyInAllLooks, hireWithEscrow, LOOKS, postEscrowedJob } from './escrow-story.js';
import { browser, describeInChromium, describeWithRealMoney, world } from './in-chromium.js';
import { InjectedWallet } from './injected-wallet.js';
import { act, fillWallet, notice, press } from './job-forms.js';
import { joinInPage, watched } from './reader.js';
import { leftIn } from './wallet-reader.js';

const WAGE = 10_000_000n;
/** Each step is checked in four looks, which takes long on a busy machine. */
const STORY_MS = 180_000;
const balance = (wallet: string) => world.token('usdc-base').balanceOf(wallet);

/** Opens a page of a new agent, with a wallet extension where the money is real. */
async function open(name: string, look: (typeof LOOKS)[number], wallet?: InjectedWallet) {
  const context = await browser.newContext(look);
  if (wallet) wallet.node = world.token('usdc-base').rpc;
  await wallet?.enter(context);
  const page = watched(await context.newPage());
  await joinInPage(page, world.url, name);
  return page;
}

type Reader = Awaited<ReturnType<typeof open>>;

/** A job from its post to the released wage. Returns the payout address of the worker. */
async function tellStory(poster: Reader, worker: Reader, pay: () => Promise<void>, walletButton: string) {
  const job = await postEscrowedJob(poster, pay);
  await worker.goto(job);
  await worker.locator('#terms ~ .quiet', { hasText: 'From the hire on, a contract on the chain holds' }).waitFor();
  await worker.locator('summary.main', { hasText: /^Apply$/ }).click();
  const payout = await fillWallet(worker, 'Payout address', walletButton);
  await expectTidyInAllLooks(worker);
  await worker.getByLabel('Why you').fill('I speak French.');
  await press(worker, 'Send the application');
  await notice(worker, 'You have applied.');

  const before = await balance(payout);
  await hireWithEscrow(poster, payout);
  expect(await escrowText(poster)).toMatch(
    /^A contract on the chain holds the wage of 10 USD, until .* made in time\.$/,
  );
  await expectTidyInAllLooks(poster);
  await deliver(worker, job);
  await poster.reload();
  expect(await escrowText(poster)).toMatch(
    /: it goes to the worker when the poster accepts, or on .* without a dispute\.$/,
  );
  await expectTidyInAllLooks(poster);
  await act(poster, 'Accept', {}, 'Accept and release 10 USDC');
  await notice(poster, 'Accepted. The wage is on its way to the worker.');
  await waitUntil(async () => (await balance(payout)) === before + WAGE);
  await waitUntil(async () => {
    await poster.reload();
    return (await poster.locator('article .badge', { hasText: /^paid$/ }).count()) === 1;
  });
  expect(await escrowText(poster)).toBe(
    'The escrow has released the wage of 10 USD to the worker: the poster accepted the delivery.',
  );
  await expectTidyInAllLooks(poster);
  return payout;
}

describeInChromium('an escrowed job by two browsers on a development chain', () => {
  test(
    'goes from its form to the released wage with play-money wallets',
    async () => {
      const [poster, worker] = [await open('Polly', LOOKS[0]), await open('Walter', LOOKS[1])];
      const pay = async () => {
        await press(poster, 'Use a play-money wallet');
        await press(poster, 'Pay 0.5 USDC');
      };
      await tellStory(poster, worker, pay, 'Use a play-money wallet');
      for (const page of [poster, worker]) expect([await leftIn(page), page.complaints]).toEqual([[], []]);
    },
    STORY_MS,
  );
});

describeWithRealMoney('an escrowed job by two wallet extensions', () => {
  test.each([
    ['an account with a key', 'Petra', 'Wanda', () => Wallet.createRandom()],
    // Signs as ERC-6492 says: the payment of the fee deploys the wallet.
    ['a passkey of a contract wallet', 'Pia', 'Wim', () => smartPayer(world.token('usdc-base').rpc, 'passkey')],
  ])(
    'goes from its form to the released wage, signed by %s',
    async (_, posting, working, createAccount) => {
      const [wallet, other] = [new InjectedWallet(await createAccount()), new InjectedWallet()];
      const [poster, worker] = [await open(posting, LOOKS[0], wallet), await open(working, LOOKS[1], other)];
      await world.fund(wallet.account.address);
      const payout = await tellStory(poster, worker, () => press(poster, 'Pay 0.5 USDC'), 'Use Your wallet');
      expect(payout).toBe(other.account.address);
      for (const page of [poster, worker]) expect([await leftIn(page), page.complaints]).toEqual([[], []]);
    },
    STORY_MS,
  );
});
