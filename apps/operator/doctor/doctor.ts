import { explainStoreOutage, serverSetting } from '#libs/setup/store-outage.js';
import type { SettingError } from '#libs/setup/setting.js';
import type { Settings } from '#libs/setup/settings.js';
import { escapeLine } from '#libs/terminal/escape-controls.js';
import { commandFor } from '#libs/terminal/command-line.js';
import type { CommandReport } from '../command-report.js';
import { checkBrowserRpc } from './browser-rpc.js';
import { checkChains } from './chains.js';
import { failedCheck, type Check, runCheck, NeverStarted } from './check.js';
import { checkFiles, checkFolder } from './folder.js';
import { checkPayments } from './payments.js';
import { checkPublicSettings } from './public-address.js';
import { checkAddress, checkService } from './service.js';
import { checkSiblings } from './siblings.js';
import { checkCoordination, checkLog, checkProjections, checkVault } from './stores.js';

interface DoctorCheck {
  readonly name: string;
  /** What to do where the check itself fails. */
  readonly advice: string;
  readonly run: (settings: Settings) => Promise<Check[]>;
}

const START_IT = `Start the service: ${commandFor('start')}.`;
const SEE_STORES = 'Look whether the store is up and whether its setting names it.';

const DOCTOR_CHECKS: readonly DoctorCheck[] = [
  { name: 'settings', advice: 'Correct the file that the setting names.', run: checkFiles },
  { name: 'settings', advice: 'Correct BASE_URL.', run: checkPublicSettings },
  { name: 'data folder', advice: 'Set DATA_DIR, or start the service, which makes it.', run: checkFolder },
  { name: 'event log', advice: SEE_STORES, run: checkLog },
  { name: 'read models', advice: SEE_STORES, run: checkProjections },
  { name: 'short-lived state', advice: SEE_STORES, run: checkCoordination },
  { name: 'vault', advice: SEE_STORES, run: checkVault },
  { name: 'service', advice: START_IT, run: checkService },
  { name: 'address', advice: 'Look at the proxy and at DNS: agents call this address.', run: checkAddress },
  {
    name: 'chains',
    advice: 'A development chain runs with its service; otherwise look at the RPC addresses.',
    run: checkChains,
  },
  { name: 'browsers', advice: 'Look at the RPC addresses for browsers.', run: checkBrowserRpc },
  { name: 'payments', advice: SEE_STORES, run: checkPayments },
  { name: 'siblings', advice: 'Look whether SIBLING_URL or SIBLING_FILE is right.', run: checkSiblings },
];

/** Looks that ask the service, which cannot answer without its stores. */
const NEED_SERVICE = new Set(['service', 'chains']);

/** Looks at everything that a service needs, and says in sentences what is wrong and what to do. */
export async function doctor(settings: Settings): Promise<CommandReport> {
  const results = await Promise.all(DOCTOR_CHECKS.map(each => runDoctorCheck(each, settings)));
  return buildReport(dropConsequences(results));
}

interface CheckResult {
  readonly checks: readonly Check[];
  /** The setting of a server that could not be reached. */
  readonly server: string | undefined;
  /** Whether it may fail only because no service can start. */
  readonly needsService: boolean;
}

async function runDoctorCheck({ name, advice, run: look }: DoctorCheck, settings: Settings): Promise<CheckResult> {
  let server: string | undefined;
  let needsService = NEED_SERVICE.has(name);
  const checks = await runCheck(name, advice, () =>
    look(settings).catch((error: unknown) => {
      server = serverSetting(error, settings);
      needsService ||= error instanceof NeverStarted;
      throw explainStoreOutage(error, settings);
    }),
  );
  return { checks, server, needsService };
}

/** Leaves one finding for each server that cannot be reached: other looks need it too, and so does the service. */
function dropConsequences(results: readonly CheckResult[]): Check[] {
  const named = new Set<string>();
  const isAway = results.some(({ server }) => server !== undefined);
  return results.flatMap(({ checks, server, needsService }) => {
    if (server === undefined) return isAway && needsService ? checks.filter(({ ok }) => ok) : checks;
    if (named.has(server)) return [];
    named.add(server);
    return checks;
  });
}

/** The report where the settings are so wrong that nothing else can be looked at. */
export function settingsReport({ message }: SettingError): CommandReport {
  return buildReport([
    failedCheck('settings', message, 'Correct it in the environment or in .env; docs/settings.md lists every setting.'),
  ]);
}

function buildReport(checks: readonly Check[]): CommandReport {
  const findings = checks.filter(({ ok }) => !ok);
  const lines = checks.flatMap(({ ok, name, sentence, advice }) => {
    return [`${ok ? 'ok ' : 'BAD'}  ${name}: ${sentence}`, ...(advice === null ? [] : [`       ${advice}`])];
  });
  const summary = findings.length === 0 ? 'Nothing is wrong.' : `${findings.length} findings.`;
  return {
    ok: findings.length === 0,
    json: { ok: findings.length === 0, checks },
    text: [...lines, summary].map(escapeLine).join('\n'),
  };
}
