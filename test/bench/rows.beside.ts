import type { Arena } from './arena.js';
import { messageOf, run } from './child.js';
import type { Row } from './report.js';
import { quantile } from './statistics.js';

/** Reads per look, one at a time: latency is measured, not throughput. */
const READS = 5_000;
const IN_FLIGHT = 1;
const IDLE_LOOKS = 4;

interface RebuildResult {
  readonly seconds: number;
  readonly heldMs: number;
}

/** Tail latency of profile reads during a rebuild of all read models, compared with idle. */
export async function readsDuringRebuild(arena: Arena, dataDir: string): Promise<Row[]> {
  const look = async () => (await arena.burst('service', arena.reads.profiles(READS), IN_FLIGHT)).latenciesMs;
  await look();
  const idle: number[] = [];
  for (let looks = 0; looks < IDLE_LOOKS; looks += 1) idle.push(...(await look()));
  let rebuilt: RebuildResult | undefined;
  const ended = messageOf<RebuildResult>(run('beside.process.js', dataDir)).then(message => (rebuilt = message));
  const during: number[] = [];
  while (!rebuilt) during.push(...(await Promise.race([look(), ended.then(() => [])])));
  const [before, meanwhile] = [idle, during].map(all =>
    quantile(
      all.sort((a, b) => a - b),
      0.99,
    ),
  ) as [number, number];
  const { seconds, heldMs } = rebuilt;
  const figures = `${meanwhile.toFixed(2)}, idle ${before.toFixed(2)} ms; ${seconds.toFixed(1)} s, held ${heldMs} ms`;
  const name = 'reads during a rebuild, p99, against idle';
  return [{ name, ratio: meanwhile / before, floor: 4, aim: 2, better: 'less', figures }];
}
