import { clockOf } from '#libs/setup/file-clock.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { reconcile, type ReconciliationReport } from '#libs/payments/reconciliation/reconcile.js';
import type { RailReport } from '#libs/payments/reconciliation/reconcile-rail.js';
import { RAILS } from '#libs/payments/rails.js';
import type { Settings } from '#libs/setup/settings.js';
import { commandFor, type CommandReport, UsageError } from '#libs/terminal/command-line.js';
import { chainTargets } from './doctor/chains.js';
import { paysService } from './statement.js';
import { requireStores, withLogAndVault } from './stores.js';

export interface ReconcileOptions {
  /** `<rail>=<block>`, comma separated. */
  readonly since?: string;
  /** Ids of differences. */
  readonly acknowledge: readonly string[];
}

/** Compares the payments of the log with the chains. Exit code 1 if a difference is not acknowledged. */
export async function reconcilePayments(settings: Settings, options: ReconcileOptions): Promise<CommandReport> {
  requireStores(settings);
  const since = parseSince(options.since);
  const chains = await chainTargets(settings);
  const now = clockOf(settings).now();
  const report = await withLogAndVault(settings, ({ log, vault }) =>
    reconcile({
      log,
      vault,
      types: EVENT_TYPES,
      chains,
      paysService,
      now,
      since,
      acknowledged: options.acknowledge,
    }),
  );
  const ok = report.differences.length === 0;
  return { ok, json: { ok, ...report }, text: formatReport(report) };
}

/** Throws a `UsageError`. */
function parseSince(text = ''): ReadonlyMap<string, number> {
  const pairs = text.split(',').filter(part => part !== '');
  return new Map(
    pairs.map(pair => {
      const [rail = '', block = '', ...rest] = pair.split('=');
      if (rest.length > 0 || !/^\d{1,15}$/.test(block) || !RAILS.some(({ name }) => name === rail))
        throw new UsageError('--since must be <rail>=<block>, comma separated: usdc-base=22000000.');
      return [rail, Number(block)];
    }),
  );
}

function formatReport({ rails, differences }: ReconciliationReport): string {
  const found = differences.map(({ id, sentence }) => `${id}  ${sentence}`);
  const advice = `Explained ones end with ${commandFor('operator', 'payments --reconcile --acknowledge <id>')}.`;
  const summary = found.length === 0 ? ['Log and chains agree.'] : [...found, advice];
  return [...rails.flatMap(describeRail), ...summary].join('\n');
}

function describeRail({ rail, from_block, to_block, payments, fees, escrows, relayers }: RailReport): string[] {
  const blocks = from_block > to_block ? `no new block after ${to_block}` : `blocks ${from_block} to ${to_block}`;
  const spending = relayers.map(({ account, transactions, fees_wei }) =>
    transactions === null
      ? `  relayer ${account}: the node does not have its earlier state`
      : `  relayer ${account}: ${transactions} transactions, ${fees_wei} wei of fees`,
  );
  const sums = `  fees: ${fees.log_usd} USD in the log, ${fees.chain_usd} USD on the chain`;
  const { open, log_usd, chain_usd } = escrows;
  const held = open === 0 ? [] : [`  open escrows: ${open}, ${log_usd} USD in the log, ${chain_usd} USD on the chain`];
  return [`${rail}: ${blocks}, ${payments} payments compared`, sums, ...held, ...spending];
}
