import { expect, test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { Random } from '../faults/stores/random.js';
import { Token } from '../token.js';
import { Payer } from '../unit/payments/payer.js';
import { AMOUNT, BASE } from './escrow.bench.js';
import { EscrowLives, paidBy } from './escrow.lives.js';
import { useEscrowProcesses } from './escrow.processes.js';

/** `FAULTS_SEED` repeats the lives of an earlier run; `FAULTS=all` runs 1,000. */
const SEED = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1_000_000);
const BATCH = 10;
const BATCHES = process.env['FAULTS'] === 'all' ? 100 : 3;
const use = useEscrowProcesses();

test(
  `balances add up after ${BATCH * BATCHES} lives of jobs (FAULTS_SEED=${SEED})`,
  async () => {
    const { processes } = use;
    const token = new Token(processes.dev.rpc['base']!, BASE.name);
    const random = new Random(SEED);
    const counts = { deaths: 0, reorganisations: 0, paid: 0 };
    for (let batch = 0; batch < BATCHES; batch += 1) {
      await processes.newEscrow();
      const payer = new Payer(`${SEED}/${batch}`);
      await processes.dev.fundWallet(payer.address);
      const before = await token.balanceOf(payer.address);
      const world = new EscrowLives(processes, random, payer);
      const lives = await world.run(BATCH);
      const sum = (isPlain: boolean) =>
        lives
          .filter(({ kind }) => (kind === 'plain') === isPlain)
          .reduce((total, life) => total + paidBy(world.endOf(life)), 0n);
      const [plain, escrowed] = [sum(true), sum(false)];
      expect(await processes.moved()).toEqual([-escrowed, plain + escrowed, 0n]);
      expect(before - (await token.balanceOf(payer.address))).toBe(plain);
      expect(await token.balanceOf(processes.escrow.operator)).toBe(0n);
      counts.deaths += world.counts.deaths;
      counts.reorganisations += world.counts.reorganisations;
      counts.paid += Number((plain + escrowed) / AMOUNT);
    }
    process.stdout.write(`${JSON.stringify(counts)}\n`);
  },
  BATCHES * MINUTE_MS,
);
