import { beforeEach, describe, expect, test } from '@jest/globals';
import { AbiCoder, concat, Contract, getCreate2Address, id, keccak256, toBeHex, Wallet, ZeroAddress } from 'ethers';
import { reclaim } from '#libs/client/index.js';
import { useDevChain } from './dev-chain.js';
import { AMOUNT, BASE, EscrowBench, fundedAccount } from './escrow.bench.js';
import { ERRORS, INFO, SELECTORS, TOPICS, TYPEHASH, VERSIONS } from './escrow.values.js';

/** More than between two offers of a test. */
const SECONDS_BETWEEN = 60;

/** Runtime code of a wallet that accepts every signature (ERC-1271), and code that deploys it. */
const WALLET_CODE = '0x631626ba7e60e01b60005260206000f3';
const WALLET_CREATION = `0x6f${WALLET_CODE.slice(2)}60005260106010f3`;
const CREATE2_DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const ERC6492_MAGIC = `0x${'6492'.repeat(16)}`;

const [ADDRESS, DATA] = ['address', 'bytes'];
const encode = (types: readonly string[], values: readonly unknown[]) =>
  AbiCoder.defaultAbiCoder().encode(types, values);

const { dev, provider } = useDevChain();

describe.each(VERSIONS)('the escrow of the development chain, $version', values => {
  let bench: EscrowBench;
  beforeEach(async () => void (bench = await EscrowBench.start(dev, provider, values)));

  test('has the interface and the errors of the main net', async () => {
    for (const [name, selector] of Object.entries(SELECTORS))
      expect(bench.iface.getFunction(name)!.selector).toBe(selector);
    for (const [name, selector] of Object.entries({ ...ERRORS, [values.feeError[0]]: values.feeError[1] }))
      expect(bench.iface.getError(name)!.selector).toBe(selector);
    for (const [name, topic] of Object.entries({ ...TOPICS, PaymentCaptured: values.captured }))
      expect(bench.iface.getEvent(name)!.topicHash).toBe(topic);
    expect(bench.iface.getFunction('capture')!.selector).toBe(values.capture);
    expect(await bench.escrow.getFunction('PAYMENT_INFO_TYPEHASH')()).toBe(TYPEHASH);
    const views = [
      'function authCaptureEscrow() view returns (address)',
      'function collectorType() view returns (uint8)',
    ];
    const collecting = new Contract(bench.collector, views, provider);
    expect(await collecting.getFunction('authCaptureEscrow')()).toBe(bench.address);
    expect(await collecting.getFunction('collectorType')()).toBe(0n);
  });

  test('collects the payment of the official client into the store of the operator', async () => {
    const authorized = await bench.pay();
    const { info, nonce } = authorized;
    const infoHash = keccak256(encode(['bytes32', INFO], [TYPEHASH, { ...info, payer: ZeroAddress }]));
    expect(nonce).toBe(keccak256(encode(['uint256', ADDRESS, 'bytes32'], [BASE.chainId, bench.address, infoHash])));
    const before = await bench.balances();
    const { logs } = await bench.authorize(authorized);
    expect(await bench.balances()).toEqual([before[0]! - AMOUNT, 0n, AMOUNT]);
    const hash = (await bench.escrow.getFunction('getHash')(info)) as string;
    expect(logs[0]!.topics).toEqual([TOPICS.PaymentAuthorized, hash]);
    expect(bench.iface.parseLog(logs[0]!)!.args.toArray(true)).toEqual([
      hash,
      Object.values(info),
      AMOUNT,
      bench.collector,
    ]);
    expect(logs.map(log => log.topics[0])).toEqual([
      TOPICS.PaymentAuthorized,
      id('AuthorizationUsed(address,bytes32)'),
      id('Transfer(address,address,uint256)'),
      id('Transfer(address,address,uint256)'),
    ]);
    expect(await bench.escrow.getFunction('paymentState')(hash)).toEqual([true, AMOUNT, 0n]);
    await bench.refused(bench.authorize(authorized), 'PaymentAlreadyCollected');
  });

  test('collects the payment of our client, which reclaims it after the deadline', async () => {
    const authorized = await bench.payWithOwnClient();
    const before = await bench.balances();
    const { hash: tx } = await bench.authorize(authorized);
    const reclaiming = { tx, rpcUrl: dev.rpc['base']!, wallet: bench.payer.privateKey };
    await bench.refused(reclaim(reclaiming), 'BeforeAuthorizationExpiry');
    const stranger = { ...reclaiming, wallet: Wallet.createRandom().privateKey };
    await expect(reclaim(stranger)).rejects.toThrow('funds no escrow of this wallet');
    const snapshot = await provider.send('evm_snapshot', []);
    try {
      await provider.send('evm_setNextBlockTimestamp', [Number(authorized.info['authorizationExpiry'])]);
      await provider.send('evm_mine', []);
      await reclaim(reclaiming);
      expect(await bench.balances()).toEqual(before);
    } finally {
      await provider.send('evm_revert', [snapshot]);
      await dev.setClockOffset(0);
    }
  });

  test('releases all to the receiver once', async () => {
    const authorized = await bench.pay();
    await bench.authorize(authorized);
    expect(await provider.getCode(await bench.store())).toBe('0x');
    await bench.refused(bench.call('capture', authorized.info, AMOUNT, 1, bench.receiver), values.feeError[0]);
    await bench.refused(
      bench.call('capture', authorized.info, AMOUNT + 1n, 0, ZeroAddress),
      'InsufficientAuthorization',
    );
    expect(bench.topics(await bench.captureAll(authorized.info))[0]).toBe(values.captured);
    expect((await bench.balances()).slice(1)).toEqual([AMOUNT, 0n]);
    await bench.refused(bench.captureAll(authorized.info), 'InsufficientAuthorization');
    await bench.refused(bench.call('void', authorized.info), 'ZeroAuthorization');
  });

  test('returns all to the payer by void', async () => {
    const authorized = await bench.pay();
    const before = await bench.balances();
    await bench.authorize(authorized);
    expect(bench.topics(await bench.call('void', authorized.info))[0]).toBe(TOPICS.PaymentVoided);
    expect(await bench.balances()).toEqual(before);
    await bench.refused(bench.captureAll(authorized.info), 'InsufficientAuthorization');
  });

  test('is reclaimed by the payer from the second of the deadline on, and not released', async () => {
    const [reclaimed, other] = [await bench.pay(), await bench.pay()];
    const before = await bench.balances();
    await bench.authorize(reclaimed);
    await bench.authorize(other);
    await bench.refused(bench.reclaim(reclaimed.info), 'BeforeAuthorizationExpiry');
    const snapshot = await provider.send('evm_snapshot', []);
    try {
      const deadline = Number(reclaimed.info['authorizationExpiry']);
      await provider.send('evm_setNextBlockTimestamp', [deadline]);
      const { blockNumber } = await bench.reclaim(reclaimed.info);
      expect((await provider.getBlock(blockNumber))!.timestamp).toBe(deadline);
      await provider.send('evm_setNextBlockTimestamp', [deadline + SECONDS_BETWEEN]);
      await provider.send('evm_mine', []);
      await bench.refused(bench.captureAll(other.info), 'AfterAuthorizationExpiry');
      expect(bench.topics(await bench.call('void', other.info))[0]).toBe(TOPICS.PaymentVoided);
      expect(await bench.balances()).toEqual(before);
    } finally {
      await provider.send('evm_revert', [snapshot]);
      await dev.setClockOffset(0);
    }
  });

  test('refuses other senders, amounts and times', async () => {
    const authorized = await bench.pay();
    const { info, signature } = authorized;
    const stranger = bench.as(await fundedAccount(provider));
    const before = await bench.balances();
    await bench.refused(stranger.getFunction('authorize')(info, AMOUNT, bench.collector, signature), 'InvalidSender');
    await bench.refused(bench.authorize(authorized, 0n), 'ZeroAmount');
    await bench.refused(bench.authorize(authorized, AMOUNT + 1n), 'ExceedsMaxAmount');
    const expired = { ...authorized, info: { ...info, preApprovalExpiry: BigInt(await bench.newestSecond()) } };
    await bench.refused(bench.authorize(expired), 'AfterPreApprovalExpiry');
    const unordered = { ...authorized, info: { ...info, refundExpiry: 1n } };
    await bench.refused(bench.authorize(unordered), 'InvalidExpiries');
    await expect(
      bench.authorize({ ...authorized, info: { ...info, receiver: bench.operator.address } }),
    ).rejects.toThrow('FiatTokenV2: invalid signature');
    await expect(bench.escrow.getFunction('authorize')(info, AMOUNT, BASE.asset, signature)).rejects.toThrow();
    await bench.authorize(authorized);
    await bench.refused(stranger.getFunction('capture')(info, AMOUNT, 0, ZeroAddress), 'InvalidSender');
    await bench.refused(stranger.getFunction('void')(info), 'InvalidSender');
    await bench.refused(stranger.getFunction('reclaim')(info), 'InvalidSender');
    expect((await bench.balances())[0]).toBe(before[0]! - AMOUNT);
  });

  test('asks contract wallets, and deploys those that are not deployed yet', async () => {
    const salt = toBeHex(BigInt(Wallet.createRandom().address), 32);
    const wallet = getCreate2Address(CREATE2_DEPLOYER, salt, keccak256(WALLET_CREATION)) as `0x${string}`;
    await dev.fundWallet(wallet);
    const inner = '0x1234';
    const deployment = concat([salt, WALLET_CREATION]);
    const wrapped = concat([encode([ADDRESS, DATA, DATA], [CREATE2_DEPLOYER, deployment, inner]), ERC6492_MAGIC]);
    const signing = (signature: string) => ({
      address: wallet,
      signTypedData: async () => signature as `0x${string}`,
    });
    await expect(bench.authorize(await bench.pay(signing(inner)))).rejects.toThrow('FiatTokenV2: invalid signature');
    await bench.authorize(await bench.pay(signing(wrapped)));
    expect(await provider.getCode(wallet)).toBe(WALLET_CODE);
    await bench.authorize(await bench.pay(signing(inner)));
    expect((await bench.balances())[2]).toBe(2n * AMOUNT);
  });
});
